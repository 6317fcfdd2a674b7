"""Provided, not an exercise: a trained translator from Chinese to English that runs on the classes and functions you wrote.

The notebook calls it. `load()` reads weights and sentences from exercises/data/translation.npz; the kit's
tools/train_translation.py, which you need not have, made that file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

FILE = Path(__file__).resolve().parent / "data" / "translation.npz"

START, STOP = 0, 1  # the target words <s> and </s>
LONGEST = 60  # a translation that has not ended by then is cut off
LENGTHS = ((1, 6), (7, 9), (10, 12), (13, 15), (16, 99))


@dataclass(frozen=True)
class Pair:
    """A sentence in both languages, as words, and the English word that each Chinese one stands for in this sentence."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    tags: tuple[str, ...]


@dataclass(frozen=True)
class Translation:
    """What a model wrote. weights: (words written, words read), where it looked while it wrote each; None without attention."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    weights: np.ndarray | None


class FixedVector:
    """A translator without attention: the decoder gets the encoder's last state, (h, c), and nothing else of the source.

    It runs on a `Seq2SeqAttention` that is given no states to look back at but one of zeros: its context is 0.
    """

    def __init__(self, model: Any):
        self._model = model

    def encode(self, src: Sequence[int]) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
        """Read the source; all that is kept is the state after its last word, h and c (hidden,)."""
        _, (h, c) = self._model.encode(src)
        return np.zeros((1, len(h))), (h, c)

    def decode_step(
        self, token: int, h: np.ndarray, c: np.ndarray, encoder_outputs: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, None]:
        """Write one word: logits (tgt_vocab_size,), the new h and c, and no weights."""
        logits, h, c, _ = self._model.decode_step(token, h, c, encoder_outputs)
        return logits, h, c, None


class Trained:
    """The vocabularies, the sentences and the weights of the three trained models.

    train, held_out: the sentence pairs that the models with attention learned from, and pairs that no model has seen.
    """

    def __init__(self, arrays: dict[str, np.ndarray]):
        self._arrays = arrays
        self.source_words: list[str] = arrays["source_words"].tolist()
        self.target_words: list[str] = arrays["target_words"].tolist()
        self.train = self._pairs("train")
        self.held_out = self._pairs("held_out")

    def _pairs(self, part: str) -> tuple[Pair, ...]:
        source, target, tags = (self._arrays[f"{part}/{side}"] for side in ("source", "target", "tags"))
        return tuple(
            Pair(_spell(self.source_words, a), _spell(self.target_words, b), _spell(self.target_words, c))
            for a, b, c in zip(source, target, tags, strict=True)
        )

    def _weights(self, model: str) -> dict[str, np.ndarray]:
        """The weights of one model as float64, by their names."""
        return {name.partition("/")[2]: w.astype(np.float64) for name, w in self._arrays.items() if name.startswith(f"{model}/")}

    def with_attention(self, Seq2SeqAttention: Callable[..., Any]) -> Any:
        """An object of YOUR class `Seq2SeqAttention`, with the trained weights in the place of the random ones."""
        return self._trained("attention", Seq2SeqAttention)

    def fixed_vector(self, Seq2SeqAttention: Callable[..., Any]) -> FixedVector:
        """The translator without attention, on an object of YOUR class with weights that were trained that way."""
        return FixedVector(self._trained("fixed", Seq2SeqAttention))

    def _trained(self, name: str, Seq2SeqAttention: Callable[..., Any]) -> Any:
        weights = self._weights(name)
        return _put(weights, Seq2SeqAttention(len(self.source_words), len(self.target_words), weights["W_out"].shape[0]))

    def translate(self, model: Any, sentence: str | Sequence[str]) -> Translation:
        """Let a model translate, always taking the word with the largest logit.

        sentence: Chinese words, separated by blanks. Raises: ValueError where one is not in the vocabulary.
        """
        source = self._words(sentence)
        encoder_outputs, (h, c) = model.encode([self.source_words.index(word) for word in source])
        token, target, rows = START, [], []
        for _ in range(LONGEST):
            logits, h, c, weights = model.decode_step(token, h, c, encoder_outputs)
            token = int(np.argmax(logits))
            if token == STOP:
                break
            target.append(self.target_words[token])
            rows.append(weights)
        looked = None if isinstance(model, FixedVector) else np.array(rows).reshape(len(target), len(source))
        return Translation(tuple(source), tuple(target), looked)

    def tag(self, multi_head_attention: Callable[..., Any], sentence: str | Sequence[str]) -> tuple[tuple[str, ...], np.ndarray]:
        """The English word for each Chinese one in its context, by YOUR `multi_head_attention` with trained weights.

        One layer: x = embedding of the word + embedding of its place; logits = (x + multi-head attention of x) @ W_tags.
        Returns: the words, and the weights (n_heads, n, n). Raises: ValueError for an unknown word or too long a sentence.
        """
        source = self._words(sentence)
        w = self._weights("tagger")
        if len(source) > len(w["places"]):
            raise ValueError(f"the tagger knows {len(w['places'])} places, this sentence has {len(source)} words")
        X = w["words"][[self.source_words.index(word) for word in source]] + w["places"][: len(source)]
        output, weights = multi_head_attention(X, int(self._arrays["n_heads"]), w["W_Q"], w["W_K"], w["W_V"], w["W_O"])
        best = np.argmax((X + np.asarray(output)) @ w["W_tags"], axis=-1)
        return tuple(self.target_words[i] for i in best), np.asarray(weights)

    def right_by_length(self, model: Any, pairs: Iterable[Pair] | None = None) -> dict[str, tuple[int, int]]:
        """How many sentences a model translates without a single mistake, by the number of Chinese words.

        pairs: by default those held out. Returns: "7-9" -> (right, all), and "all" at the end.
        """
        counts = {_name(low, high): [0, 0] for low, high in LENGTHS} | {"all": [0, 0]}
        for pair in self.held_out if pairs is None else pairs:
            right = self.translate(model, pair.source).target == pair.target
            length = next(_name(low, high) for low, high in LENGTHS if low <= len(pair.source) <= high)
            for name in (length, "all"):
                counts[name][0] += right
                counts[name][1] += 1
        return {name: (right, total) for name, (right, total) in counts.items()}

    def _words(self, sentence: str | Sequence[str]) -> list[str]:
        words = sentence.split() if isinstance(sentence, str) else list(sentence)
        unknown = [word for word in words if word not in self.source_words]
        if unknown or not words:
            raise ValueError(f"not in the vocabulary: {' '.join(unknown) or '(no word)'}; it has {' '.join(self.source_words)}")
        return words


def load(file: Path = FILE) -> Trained:
    """The trained example. Raises: FileNotFoundError where exercises/data/ did not come along with the notebook."""
    with np.load(file, allow_pickle=False) as stored:
        return Trained(dict(stored))


def _spell(vocabulary: list[str], row: np.ndarray) -> tuple[str, ...]:
    """The words of a row of numbers, which is filled up with -1."""
    return tuple(vocabulary[i] for i in row if i >= 0)


def _put(weights: dict[str, np.ndarray], model: Any) -> Any:
    """The model, with its attributes replaced; a name like encoder_lstm.W is the attribute of an attribute."""
    for name, array in weights.items():
        *path, last = name.split(".")
        owner = model
        for step in path:
            owner = getattr(owner, step)
        setattr(owner, last, array)
    return model


def _name(low: int, high: int) -> str:
    return f"{low}-{high}" if high < 99 else f"{low} and more"
