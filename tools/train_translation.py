"""Trains the example of the lesson and writes exercises/data/translation.npz: `python tools/train_translation.py`.

Three models learn from sentence pairs of translation_grammar.py: an encoder-decoder with attention, one without, and a
layer of multi-head self-attention that tags words. NumPy alone, seeded, one core, about three minutes.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the matrices are small: more threads only wait for each other

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from translation_grammar import Pair, draw_pairs
from translation_models import Adam, Dropout, Seq2Seq, Tagger, Weights

FILE = Path(__file__).resolve().parents[1] / "exercises" / "data" / "translation.npz"

DATA_SEED, TRAINING_SEED = 2017, 1
CLAUSES, SHARES = (1, 2, 3), (0.3, 0.4, 0.3)
N_TRAIN, N_HELD_OUT, N_EXTRA = 660, 240, 5000  # the extra ones are for the model without attention alone
HIDDEN, N_HEADS = 32, 2
BATCH, RATE = 16, 0.005
EPOCHS = {"attention": 100, "fixed": 80, "tagger": 100}
DROPOUT = {"attention": 0.1, "fixed": 0.0, "tagger": 0.1}
START, STOP = "<s>", "</s>"  # words 0 and 1 of the target vocabulary


class Numbers:
    """The two vocabularies, and sentences as word numbers."""

    def __init__(self, pairs: Sequence[Pair]):
        self.source_words = sorted({word for pair in pairs for word in pair.source})
        self.target_words = [START, STOP, *sorted({word for pair in pairs for word in (*pair.target, *pair.tags)})]
        self._source = {word: i for i, word in enumerate(self.source_words)}
        self._target = {word: i for i, word in enumerate(self.target_words)}

    def source(self, pairs: Sequence[Pair]) -> np.ndarray:
        """(pairs, words) of sentences of one length; shorter ones are filled up with -1."""
        return _padded([[self._source[word] for word in pair.source] for pair in pairs])

    def target(self, pairs: Sequence[Pair]) -> np.ndarray:
        """(pairs, words), filled up with -1."""
        return _padded([[self._target[word] for word in pair.target] for pair in pairs])

    def tags(self, pairs: Sequence[Pair]) -> np.ndarray:
        """(pairs, words), filled up with -1."""
        return _padded([[self._target[word] for word in pair.tags] for pair in pairs])


def _padded(rows: list[list[int]]) -> np.ndarray:
    table = np.full((len(rows), max(map(len, rows))), -1, dtype=np.int8)
    for row, numbers in zip(table, rows, strict=True):
        row[: len(numbers)] = numbers
    return table


def batches(pairs: Sequence[Pair], rng: np.random.Generator) -> Iterator[list[Pair]]:
    """All pairs once, in random batches whose sentences have one length, so that no source needs padding."""
    by_length: dict[int, list[Pair]] = {}
    for i in rng.permutation(len(pairs)):
        by_length.setdefault(len(pairs[i].source), []).append(pairs[i])
    cut = [alike[i : i + BATCH] for alike in by_length.values() for i in range(0, len(alike), BATCH)]
    for i in rng.permutation(len(cut)):
        yield cut[i]


def train(name: str, weights: Weights, pairs: Sequence[Pair], loss: Callable[[list[Pair], Dropout], tuple[float, Weights]]) -> None:
    """Adam on random batches, the rate falling along half a cosine. The weights are changed in place."""
    rng = np.random.default_rng(TRAINING_SEED)
    adam, dropout = Adam(weights), Dropout(rng, DROPOUT[name])
    start = time.monotonic()
    for epoch in range(EPOCHS[name]):
        rate = RATE * 0.5 * (1.0 + np.cos(np.pi * epoch / EPOCHS[name]))
        losses = []
        for batch in batches(pairs, rng):
            value, gradients = loss(batch, dropout)
            adam.update(gradients, rate)
            losses.append(value)
        if (epoch + 1) % 20 == 0:
            print(f"{name}: epoch {epoch + 1}, loss {np.mean(losses):.4f}, {time.monotonic() - start:.0f} s", flush=True)


def train_seq2seq(attends: bool, pairs: Sequence[Pair], numbers: Numbers) -> Weights:
    """The encoder-decoder, with teacher forcing: it reads <s> and the right words, and must say the right words and </s>."""
    model = Seq2Seq(attends)
    weights = model.start(np.random.default_rng(TRAINING_SEED), len(numbers.source_words), len(numbers.target_words), HIDDEN)

    def loss(batch: list[Pair], dropout: Dropout) -> tuple[float, Weights]:
        target = numbers.target(batch).astype(np.int64)
        given = np.pad(np.maximum(target, 0), ((0, 0), (1, 0)))
        wanted = np.pad(target, ((0, 0), (0, 1)), constant_values=-1)
        length = (target >= 0).sum(axis=1)
        wanted[np.arange(len(batch)), length] = 1
        return model.loss(weights, numbers.source(batch), given, np.maximum(wanted, 0), wanted >= 0, dropout)

    train("attention" if attends else "fixed", weights, pairs, loss)
    return weights


def train_tagger(pairs: Sequence[Pair], numbers: Numbers, longest: int) -> Weights:
    """The layer of multi-head self-attention."""
    model = Tagger(N_HEADS)
    weights = model.start(np.random.default_rng(TRAINING_SEED), len(numbers.source_words), len(numbers.target_words), HIDDEN, longest)

    def loss(batch: list[Pair], dropout: Dropout) -> tuple[float, Weights]:
        return model.loss(weights, numbers.source(batch), numbers.tags(batch), dropout)

    train("tagger", weights, pairs, loss)
    return weights


def main() -> int:
    """Draw the sentences, train the three models, write the file."""
    rng = np.random.default_rng(DATA_SEED)
    pairs = draw_pairs(rng, rng.choice(CLAUSES, p=SHARES, size=N_HELD_OUT + N_TRAIN + N_EXTRA).tolist())
    held_out, few, many = pairs[:N_HELD_OUT], pairs[N_HELD_OUT : N_HELD_OUT + N_TRAIN], pairs[N_HELD_OUT:]
    numbers = Numbers(pairs)
    longest = max(len(pair.source) for pair in pairs)
    trained = {
        "attention": train_seq2seq(True, few, numbers),
        "fixed": train_seq2seq(False, many, numbers),
        "tagger": train_tagger(few, numbers, longest),
    }
    arrays: dict[str, Any] = {
        f"{name}/{side}": getattr(numbers, side)(part)
        for name, part in (("train", few), ("held_out", held_out))
        for side in ("source", "target", "tags")
    }
    arrays |= {f"{model}/{name}": array for model, weights in trained.items() for name, array in weights.items()}
    arrays |= {"source_words": np.array(numbers.source_words), "target_words": np.array(numbers.target_words), "n_heads": np.array(N_HEADS)}
    FILE.parent.mkdir(exist_ok=True)
    np.savez_compressed(FILE, **arrays)
    print(f"{FILE.name}: {FILE.stat().st_size / 1000:.0f} kB, {len(few)} pairs to learn from, {len(held_out)} held out")
    return 0


if __name__ == "__main__":
    sys.exit(main())
