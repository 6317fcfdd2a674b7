"""Visible tests of the masks: run them with pytest while you write. True (or 1) = may attend."""

import numpy as np

from .expect import Text, expect
from .titles import chinese

HINTS = {
    "causal_mask": Text(
        "With two queries and five keys: which key does the last query belong to, and which one the first?",
        "两个查询、五个键：最后一个查询对应哪个键？第一个查询呢？",
    ),
    "padding_mask": Text(
        "Which numbers are compared with lengths[b], and which axes must the two sides have so that one comparison serves the whole batch?",
        "与 lengths[b] 比较的是哪些数？两边各要有哪些轴，才能用一次比较处理整个批次？",
    ),
    "masked_softmax": Text(
        "At which point must a blocked key be out, so that the allowed weights add up to 1? And what does your code give for a row in "
        "which nothing is allowed?",
        "要让允许的权重加起来等于 1，被遮住的键必须在哪一步之前排除？如果一行什么都不允许，你的代码得到什么？",
    ),
    "masked_attention": Text(
        "What is different from attention without a mask, and which of its steps stays exactly as it was?",
        "与不带掩码的注意力相比，哪一步不同，哪些步骤完全不变？",
    ),
}

ALIGNED = Text(
    "The last query is aligned with the last key; every query sees its own position and what is before it.",
    "最后一个查询与最后一个键对齐；每个查询能看到自己的位置以及之前的位置。",
)


@chinese("因果掩码遮住未来")
def test_causal_mask_hides_the_future(student):
    """As many queries as keys: a lower triangle, the diagonal allowed."""
    expect(student.causal_mask(3)).to_match(
        np.array([[True, False, False], [True, True, False], [True, True, True]]),
        because=ALIGNED,
    )


@chinese("因果掩码：最后一个查询对齐最后一个键")
def test_causal_mask_aligns_the_last_query_with_the_last_key(student):
    """Two new tokens after a prefix of two; then more queries than keys."""
    expect(student.causal_mask(2, 4)).to_match(np.array([[True, True, True, False], [True, True, True, True]]), because=ALIGNED)
    expect(student.causal_mask(3, 2)).to_match(np.array([[False, False], [True, False], [True, True]]), because=ALIGNED)


@chinese("填充掩码标出真实词元")
def test_padding_mask_marks_the_real_tokens(student):
    """Three sentences in a batch, the longest of them with one place to spare."""
    expect(student.padding_mask([3, 0, 1], 4)).to_match(
        np.array([[[True, True, True, False]], [[False, False, False, False]], [[True, False, False, False]]]),
        because=Text(
            "True = a real token; the first lengths[b] of the n_k keys of sentence b are real.",
            "True 表示真实词元；句子 b 的 n_k 个键中，前 lengths[b] 个是真实的。",
        ),
    )


@chinese("带掩码的 softmax 不给被遮住的键权重")
def test_masked_softmax_leaves_blocked_keys_out(student):
    """The allowed weights add up to 1, however large the blocked score is, and however low the allowed ones."""
    scores = np.array([[0.0, np.log(3.0), 50.0], [-95.0, 0.0, -95.0]])
    mask = np.array([[True, True, False], [True, False, True]])
    expect(student.masked_softmax(scores, mask)).to_match(
        [[0.25, 0.75, 0.0], [0.5, 0.0, 0.5]],
        because=Text(
            "A blocked key must be out before the softmax, so that the allowed weights add up to 1.",
            "被遮住的键要在 softmax 之前就排除，这样允许的权重加起来才等于 1。",
        ),
    )


@chinese("带掩码的 softmax 接受整数掩码并做广播")
def test_masked_softmax_takes_integer_masks_and_broadcasts_them(student):
    """The mask (2, 1, 3) of a padded batch, as integers, on scores (2, 2, 3); then no mask at all."""
    reply = student.masked_softmax(np.zeros((2, 2, 3)), np.array([[[1, 1, 0]], [[1, 0, 0]]]))
    expect(reply).to_match(
        [[[0.5, 0.5, 0.0], [0.5, 0.5, 0.0]], [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]],
        because=Text(
            "1 means allowed and 0 blocked; a mask with an axis of length 1 holds for all queries.",
            "1 表示允许，0 表示遮住；长度为 1 的轴对所有查询都有效。",
        ),
    )
    expect(reply).to_leave_arguments_alone()
    expect(student.masked_softmax(np.zeros((2, 4)))).to_match(np.full((2, 4), 0.25))


@chinese("什么都看不到的查询得到零")
def test_a_query_that_sees_nothing_gets_zeros(student):
    """Two equal queries of width 4: one may see the first two keys, the other one none."""
    Q = np.array([[2.0 * np.log(3.0), 0.0, 0.0, 0.0]] * 2)
    K = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [9.0, 0.0, 0.0, 0.0]])
    V = np.array([[4.0, 0.0], [8.0, 4.0], [500.0, 500.0]])
    mask = np.array([[True, True, False], [False, False, False]])
    expect(student.masked_attention(Q, K, V, mask)).to_match(
        ([[5.0, 1.0], [0.0, 0.0]], [[0.75, 0.25, 0.0], [0.0, 0.0, 0.0]]),
        "output",
        "weights",
        because=Text(
            "The scores are scaled as ever, blocked keys are out; a query that may attend to nothing has weights 0 and output 0.",
            "分数照常缩放，被遮住的键不参与；什么都看不到的查询，权重为 0，输出也为 0。",
        ),
    )


@chinese("对不上的掩码要拒绝")
def test_a_mask_that_does_not_fit_is_refused(student):
    """Three keys, but a mask for two; then a mask for five sentences on one."""
    fits = Text("the mask does not broadcast to the shape of the scores", "掩码不能广播到分数的形状")
    expect(student.masked_softmax(np.zeros((2, 3)), np.ones((2, 2), dtype=bool))).to_raise(ValueError, when=fits)
    expect(student.masked_softmax(np.zeros((1, 2, 3)), np.ones((5, 2, 3), dtype=bool))).to_raise(ValueError, when=fits)
