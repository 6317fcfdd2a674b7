"""The trained example: its shipped weights do, with the reference solutions, what the lesson says of them."""

from __future__ import annotations

import numpy as np
import pytest

from exercises.translation import FILE, Trained, load
from solutions.multi_head import multi_head_attention
from solutions.seq2seq import Seq2SeqAttention

LESSON = "我 喜欢 学习 深度 学习"


@pytest.fixture(scope="module")
def trained() -> Trained:
    return load()


@pytest.fixture(scope="module")
def translator(trained):
    return trained.with_attention(Seq2SeqAttention)


def test_every_held_out_sentence_is_translated_right_with_attention(trained, translator):
    assert trained.right_by_length(translator) == {
        "1-6": (59, 59),
        "7-9": (32, 32),
        "10-12": (69, 69),
        "13-15": (34, 34),
        "16 and more": (46, 46),
        "all": (240, 240),
    }


def test_without_attention_the_long_sentences_fail(trained):
    right = trained.right_by_length(trained.fixed_vector(Seq2SeqAttention))
    share = {length: r / n for length, (r, n) in right.items()}
    assert share["1-6"] == 1.0
    assert share["1-6"] > share["7-9"] > share["10-12"] > 0.75 > 0.5 > share["13-15"] > 0.15 > share["16 and more"]


def test_the_sentence_of_the_lesson_was_not_learned_by_heart(trained):
    learned = {pair.source for pair in trained.train}
    assert tuple(LESSON.split()) not in learned
    assert not learned & {pair.source for pair in trained.held_out}
    assert (len(learned), len({pair.source for pair in trained.held_out})) == (660, 240)


def test_deep_looks_at_its_word(trained, translator):
    """深度 has the largest weight under "deep", of the row and of the column, and most of the row."""
    found = trained.translate(translator, LESSON)
    assert found.target == ("I", "like", "learning", "deep", "learning")
    deep, word = found.target.index("deep"), found.source.index("深度")
    assert np.argmax(found.weights[deep]) == word
    assert np.argmax(found.weights[:, word]) == deep
    assert found.weights[deep, word] > 0.9


def test_deep_looks_at_its_word_in_all_held_out_sentences(trained, translator):
    seen = 0
    for pair in trained.held_out:
        if pair.target.count("deep") == 1:
            found = trained.translate(translator, pair.source)
            assert found.source[np.argmax(found.weights[found.target.index("deep")])] == "深度", pair
            seen += 1
    assert seen > 30


def test_the_tagger_reads_the_word_before(trained):
    """The same word 学习 in three roles, and a verb that agrees with its subject; 238 of 240 sentences without a mistake."""
    tags, weights = trained.tag(multi_head_attention, "他 喜欢 学习 深度 学习")
    assert tags == ("he", "likes", "learning", "deep", "learning")
    assert weights.shape == (2, 5, 5)
    assert trained.tag(multi_head_attention, "他 学习 数学")[0] == ("he", "learns", "mathematics")
    assert trained.tag(multi_head_attention, "我 学习 数学")[0] == ("I", "learn", "mathematics")
    right = [trained.tag(multi_head_attention, pair.source)[0] == pair.tags for pair in trained.held_out]
    assert sum(right) == 238


def test_one_head_of_the_tagger_looks_at_the_word_itself_and_the_other_before_it(trained):
    _, (before, itself) = trained.tag(multi_head_attention, LESSON)
    assert np.array_equal(np.argmax(itself, axis=-1), np.arange(5))
    assert np.array_equal(np.argmax(before[1:], axis=-1), [0, 1, 2, 1])


def test_the_weights_need_the_right_formula(trained):
    """Keys and values in each other's place translate nothing: what the notebook shows is the student's own code at work."""
    swapped = trained.with_attention(Seq2SeqAttention)
    swapped.W_K, swapped.W_V = swapped.W_V, swapped.W_K
    right, total = trained.right_by_length(swapped, trained.held_out[:40])["all"]
    assert right < total / 4


def test_unknown_words_are_named(trained, translator):
    with pytest.raises(ValueError, match="not in the vocabulary: 天气"):
        trained.translate(translator, "我 喜欢 天气")
    with pytest.raises(ValueError, match="places"):
        trained.tag(multi_head_attention, " ".join(["书"] * 60))


def test_the_file_is_small_and_plain():
    assert FILE.stat().st_size < 300_000
    with np.load(FILE, allow_pickle=False) as stored:
        assert {array.dtype.kind for array in stored.values()} <= {"f", "i", "U"}
