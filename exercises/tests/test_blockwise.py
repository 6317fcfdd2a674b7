"""Visible tests of blockwise attention: run them with pytest while you write. The last one measures memory."""

import tracemalloc

import numpy as np

from .expect import Text, expect
from .titles import chinese

HINTS = {
    "blockwise_attention": Text(
        "Scores 1, 3 in the first block and 5 in the second: once 5 is the largest, by which factor must the first block's sums change?",
        "第一块的分数是 1, 3，第二块是 5：当 5 成为最大值后，第一块的累加和要乘以什么因子？",
    ),
}

Q = np.array([[1.0, 0.0, 0.0]])
K = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.0, 0.0]])
V = np.array([[10.0, 20.0], [30.0, 40.0], [50.0, 60.0]])

SAME = Text(
    "The blocks change how much memory is used; the output is that of scaled_dot_product_attention.",
    "分块只改变占用的内存；输出与 scaled_dot_product_attention 相同。",
)
CAUSAL = Text(
    "The last query is aligned with the last key; a query sees its own position and what is before it. Seeing nothing gives output 0.",
    "最后一个查询与最后一个键对齐；每个查询看到自己的位置以及之前的位置，什么都看不到的查询输出为 0。",
)


@chinese("块的大小不影响输出")
def test_the_block_size_does_not_change_the_output(student):
    """The example of the lesson with blocks of 1, 2 (which does not divide 3), 3 and more keys than there are."""
    for block_size in (1, 2, 3, 50):
        expect(student.blockwise_attention(Q, K, V, block_size=block_size)).to_match([[27.8296534, 37.8296534]], because=SAME)
    expect(student.blockwise_attention(Q, K, V)).to_match([[27.8296534, 37.8296534]], because=SAME)


@chinese("因果")
def test_causal(student):
    """Three queries on three keys, then one query fewer, then one more; all scores are equal, so outputs are means."""
    none, values = np.zeros((4, 2)), np.array([[3.0], [6.0], [12.0]])
    for block_size in (1, 2, 5):
        for n_q, want in ((3, [[3.0], [4.5], [7.0]]), (2, [[4.5], [7.0]]), (4, [[0.0], [3.0], [4.5], [7.0]])):
            got = student.blockwise_attention(none[:n_q], none[:3], values, block_size=block_size, causal=True)
            expect(got).to_match(want, because=CAUSAL)


@chinese("最大的分数可能在后面的块里")
def test_a_later_block_can_hold_the_largest_score(student):
    """Scores of 5000 in the first, in a middle and in the last block, then nothing but very low ones."""
    queries = np.array([[1.0], [-1.0]])
    for scores, want in (
        ([5000.0, 0.0, -5000.0], [[1.0], [4.0]]),
        ([0.0, 5000.0, -5000.0], [[2.0], [4.0]]),
        ([-5000.0, 0.0, 5000.0], [[4.0], [1.0]]),
        ([-5000.0, -5000.0, -6000.0], [[1.5], [4.0]]),
    ):
        got = student.blockwise_attention(queries, np.array(scores)[:, np.newaxis], np.array([[1.0], [2.0], [4.0]]), block_size=1)
        expect(got).to_match(
            want,
            because=Text(
                "Where a block brings a new largest score, both sums so far must be brought to it.",
                "某一块带来新的最大分数时，到目前为止的两个和都要换算到它。",
            ),
        )


@chinese("一批句子互不干扰")
def test_the_sentences_of_a_batch_stay_apart(student):
    """A batch of two: the second sentence has its keys in another order."""
    got = student.blockwise_attention(np.stack([Q, Q]), np.stack([K, K[::-1]]), np.stack([V, V[::-1] + 1.0]), block_size=2)
    expect(got).to_match([[[27.8296534, 37.8296534]], [[28.8296534, 38.8296534]]], because=SAME)


@chinese("不保存查询对键的整个矩阵")
def test_no_matrix_of_queries_and_keys_is_held(student):
    """4096 queries and keys: the memory must stay below 4096 x 4096 bytes. In pure Python this takes a while."""
    n = 4096
    long = np.linspace(-1.0, 1.0, 2 * n).reshape(n, 2)
    student.blockwise_attention(Q, K, V, block_size=2)
    tracemalloc.start()
    try:
        reply = student.blockwise_attention(long, long, long, block_size=64)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    expect(reply).to_be_numbers((n, 2))
    mib = f"{peak / 2**20:.0f}"
    expect(reply).to_hold(
        peak < n * n,
        should=Text(
            f"It took {mib} MiB at once, and 16 MiB are a matrix of {n} x {n} booleans. Hold one block of keys at a time.",
            f"它一次占用了 {mib} MiB，而一个 {n} x {n} 的布尔矩阵就是 16 MiB。每次只保留一块键的分数。",
        ),
    )
