"""Grades exercise `heatmap`. A drawing is read by display width, see autograder/heatmap_text.py."""

import numpy as np
import pytest

from autograder.grading import expect, graded
from autograder.heatmap_text import problem_of

SHADES = " ░▒▓█"
ENGLISH = ["I", "like", "deep", "learning", "the", "cat", "sat", "on", "mat", "today"]
CHINESE = ["我", "喜欢", "学习", "深度", "今天", "猫", "坐在", "垫子", "上面", "神经网络"]
OTHERS = ["日本", "ＧＰＵ", "한국어", "α", "café", "ｱｲ", "ok", "B2"]  # wide, full-width, ambiguous and half-width letters
MARKED = ["nai\u0308ve", "cafe\u0301", "Zu\u0308rich", "e\u0301le\u0300ve", "plain", "x"]


def choose(rng, words, count):
    """Some of the words, in another order."""
    return [words[i] for i in rng.permutation(len(words))[:count]]


def random_weights(rng, n_q, n_k, n_shades=5):
    """Random attention weights, none so near a step that float32 could take the other shade, but the largest, which is on one."""
    while True:
        weights = np.exp(2.0 * rng.normal(size=(n_q, n_k)))
        weights /= weights.sum(axis=-1, keepdims=True)
        exact = weights * (n_shades - 1) / weights.max()
        off = np.abs(exact - np.rint(exact))
        if np.all((off > 1e-3) | (np.rint(exact) == 0) | (weights == weights.max())):
            return weights


def expect_drawing(reply, weights, tokens, key_tokens=None, shades=SHADES):
    """The reply is a drawing of these weights and tokens."""
    problem = problem_of(expect(reply).to_be_text(), weights, tokens, key_tokens, shades)
    if problem is not None:
        expect(reply).to_hold(False, problem)


@pytest.mark.parametrize("kind", ["five shades", "ten digits"])
@graded(0.5, "The level of every weight", "每个权重的级别")
def test_levels(student, rng, kind):
    shades = SHADES if kind == "five shades" else "0123456789"
    for n in (5, 6, 7):
        weights, tokens = random_weights(rng, n, n, len(shades)), choose(rng, ENGLISH, n)
        if shades == SHADES:
            expect_drawing(student.ascii_heatmap(weights, tokens), weights, tokens)
        else:
            expect_drawing(student.ascii_heatmap(shades=shades, tokens=tokens, weights=weights), weights, tokens, shades=shades)


@graded(0.5, "Keys of their own, in another number than the queries", "键与查询不同，数量也不同")
def test_keys_of_their_own(student, rng):
    for n_q, n_k, shades in ((3, 6, SHADES), (7, 2, "abcdef"), (1, 5, "#@"), (4, 1, "_xX"), (4, 4, "_xX")):
        weights = random_weights(rng, n_q, n_k, len(shades))
        tokens, keys = choose(rng, ENGLISH, n_q), choose(rng, ENGLISH, n_k)
        if shades == SHADES:
            expect_drawing(student.ascii_heatmap(weights, tokens, keys), weights, tokens, keys)
        expect_drawing(student.ascii_heatmap(weights, tokens, keys, shades), weights, tokens, keys, shades)
        expect_drawing(student.ascii_heatmap(weights, tokens, key_tokens=keys, shades=shades), weights, tokens, keys, shades)


@graded(0.5, "Chinese tokens line up", "中文词元对齐")
def test_chinese(student, rng):
    for tokens, keys in (
        (choose(rng, CHINESE, 6), None),
        (choose(rng, ENGLISH, 6), choose(rng, CHINESE, 8)),
        (choose(rng, CHINESE + ENGLISH, 7), choose(rng, CHINESE + ENGLISH, 9)),
        (["I", "神经网络"], ["深度", "a", "学习", "bc", "垫子", "d", "喜欢", "ef"]),
    ):
        for shades in (SHADES, "0123456789"):
            weights = random_weights(rng, len(tokens), len(keys or tokens), len(shades))
            expect_drawing(student.ascii_heatmap(weights, tokens, keys, shades), weights, tokens, keys, shades)


@graded(0.5, "Full-width letters, other scripts and combining accents line up", "全角字母、其他文字与组合重音符对齐")
def test_other_scripts(student, rng):
    for tokens, keys in ((OTHERS, OTHERS), (MARKED, MARKED + CHINESE)):
        tokens, keys = choose(rng, tokens, len(tokens)), choose(rng, keys, len(keys))
        weights = random_weights(rng, len(tokens), len(keys), 10)
        expect_drawing(student.ascii_heatmap(weights, tokens, keys, "0123456789"), weights, tokens, keys, "0123456789")


@graded(0.5, "Long tokens stay whole", "较长的词元保持完整")
def test_long_tokens(student, rng):
    long = ["internationalisation", "transformer", "自注意力机制详解", "of"]
    for tokens, keys in ((choose(rng, ENGLISH, 5), choose(rng, long, 4)), (choose(rng, long, 4), choose(rng, ENGLISH, 5)), (long, long)):
        weights = random_weights(rng, len(tokens), len(keys))
        expect_drawing(student.ascii_heatmap(weights, tokens, keys), weights, tokens, keys)


@graded(0.5, "Rows alike, weights on a step, nothing but zeros", "相同的行、恰好在分界上的权重、全零矩阵")
def test_special_matrices(student, rng):
    tokens = choose(rng, ENGLISH, 4)
    uneven = np.array([[0.0, 0.0, 0.0, 0.0], [0.1, 0.1, 0.1, 0.1], [0.25, 0.25, 0.25, 0.25], [0.55, 0.3, 0.15, 0.0]])
    for weights in (np.zeros((4, 4)), uneven, np.eye(4), np.full((4, 4), 0.25), rng.permutation([0.0, 0.2, 0.4, 0.6] * 4).reshape(4, 4)):
        for shades in (SHADES, "_-xX", "abcdef"):
            expect_drawing(student.ascii_heatmap(weights, tokens, None, shades), weights, tokens, None, shades)


@graded(0.5, "The arguments are left alone", "不修改参数", property_alone=True)
def test_the_arguments_are_left_alone(student, rng):
    for tokens, keys in ((choose(rng, ENGLISH, 5), choose(rng, CHINESE, 3)), (choose(rng, ENGLISH, 4), None)):
        weights = random_weights(rng, len(tokens), len(keys or tokens))
        expect(student.ascii_heatmap(weights, tokens, keys)).to_leave_arguments_alone()
