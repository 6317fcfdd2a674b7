"""Visible tests of sliding-window attention: run them with pytest while you write."""

import numpy as np

from .expect import Text, expect
from .titles import chinese

HINTS = {
    "sliding_window_attention": Text(
        "At which place among the keys does query 0 stand where there are more keys than queries?",
        "键比查询多的时候，查询 0 站在第几个键的位置？",
    ),
}

V = np.array([[2.0, 0.0], [4.0, 8.0], [8.0, 0.0]])
NEWEST = Text(
    "Each query sees the `window` newest keys up to its own position, itself included; their weights add up to 1.",
    "每个查询能看到截至自己位置的最新 `window` 个键，包括它自己；这些权重加起来等于 1。",
)


@chinese("查询能看到自己和前一个词元")
def test_a_query_sees_itself_and_the_token_before(student):
    """A window of two keys and scores of 0: the mean of what is seen."""
    expect(student.sliding_window_attention(np.zeros((3, 4)), np.zeros((3, 4)), V, 2)).to_match(
        ([[2.0, 0.0], [3.0, 4.0], [6.0, 4.0]], [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 0.5, 0.5]]), "output", "weights", because=NEWEST
    )


@chinese("最后一个查询与最后一个键对齐")
def test_the_last_query_is_aligned_with_the_last_key(student):
    """One new token after two old ones sees the two newest of the three; a window of 9 holds them all."""
    Q, K = np.zeros((1, 4)), np.zeros((3, 4))
    expect(student.sliding_window_attention(Q, K, V, 2)).to_match(([[6.0, 4.0]], [[0.0, 0.5, 0.5]]), "output", "weights", because=NEWEST)
    expect(student.sliding_window_attention(Q, K, V, window=9)).to_match(
        ([[14 / 3, 8 / 3]], [[1 / 3, 1 / 3, 1 / 3]]), "output", "weights", because=NEWEST
    )
