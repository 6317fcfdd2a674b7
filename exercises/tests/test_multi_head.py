"""Visible tests of multi-head attention: run them with pytest while you write."""

import numpy as np

from .expect import Text, expect
from .titles import chinese

HINTS = {
    "split_heads": Text(
        "Two tokens, four features, two heads: which features of which tokens should head 0 hold? Does yours hold them?",
        "两个词元、四个特征、两个头：头 0 应当拿到哪些词元的哪些特征？你的结果是这样吗？",
    ),
    "concat_heads": Text(
        "Which two steps does split_heads take, and in which order must they be undone?",
        "split_heads 做了哪两步？要按什么顺序撤销它们？",
    ),
    "fuse_heads": Text(
        "Which columns of the result belong to head 1, and along which axis do the matrices stand side by side?",
        "结果的哪些列属于头 1？这些矩阵沿哪个轴并排放置？",
    ),
    "multi_head_attention": Text(
        "What is the shape of the scores once there are heads, and where does a mask (batch, n, n) need one more axis?",
        "有了头之后，分数是什么形状？掩码 (batch, n, n) 要在哪里多加一个轴？",
    ),
}

TOKENS = np.array([[0.0, 1, 2, 3, 4, 5], [10, 11, 12, 13, 14, 15]])
HEADS = np.array([[[0.0, 1], [10, 11]], [[2, 3], [12, 13]], [[4, 5], [14, 15]]])


@chinese("每个头得到每个词元的一段")
def test_each_head_gets_its_slice_of_every_token(student):
    """Two tokens with six features, for three heads; then the same as a batch of one."""
    slices = Text(
        "Head h holds the features h*d_head to (h+1)*d_head - 1 of every token.",
        "第 h 个头拿到每个词元的第 h*d_head 到 (h+1)*d_head - 1 个特征。",
    )
    expect(student.split_heads(TOKENS, 3)).to_match(HEADS, because=slices)
    expect(student.split_heads(TOKENS[np.newaxis], 3)).to_match(HEADS[np.newaxis], because=slices)


@chinese("拼接把同一词元的各个头并排放好")
def test_concat_puts_the_heads_of_a_token_side_by_side(student):
    """The inverse of the split, checked by its values."""
    expect(student.concat_heads(HEADS)).to_match(
        TOKENS,
        because=Text("The features of one token come back side by side, head 0 first.", "同一个词元的特征重新排在一起，头 0 在最前面。"),
    )


@chinese("合并的矩阵并排放好")
def test_fused_matrices_stand_side_by_side(student):
    """Two heads, two rows: the columns of head 0, then the columns of head 1."""
    expect(student.fuse_heads([np.array([[1.0, 2], [3, 4]]), np.array([[5.0, 6], [7, 8]])])).to_match(
        [[1, 2, 5, 6], [3, 4, 7, 8]],
        because=Text("The columns of head h follow those of head h - 1.", "第 h 个头的列紧跟在第 h - 1 个头的列之后。"),
    )


# Two tokens with two features, for two heads of width 1. Head 0 has queries 0 and weighs the tokens evenly; head 1 has
# queries ln 3 and keys 0 and 1, so it weighs them 1 to 3.
X = np.array([[1.0, 0.0], [1.0, 1.0]])
W_Q = np.array([[0.0, np.log(3.0)], [0.0, 0.0]])
W_K = np.array([[0.0, 0.0], [0.0, 1.0]])
W_V = np.array([[4.0, 0.0], [4.0, 4.0]])
W_O = np.array([[1.0, 2.0], [0.0, 1.0]])
EVEN, ONE_TO_THREE = [[0.5, 0.5], [0.5, 0.5]], [[0.25, 0.75], [0.25, 0.75]]


@chinese("每个头各自计算注意力")
def test_every_head_attends_by_itself(student):
    """The heads' outputs 6 and 3, side by side, then times W_O."""
    expect(student.multi_head_attention(X, 2, W_Q, W_K, W_V, W_O)).to_match(
        ([[6.0, 15.0], [6.0, 15.0]], [EVEN, ONE_TO_THREE]),
        "output",
        "weights",
        because=Text(
            "Each head attends with its own slice, scaled by the root of d_head; then concatenate, then times W_O.",
            "每个头用自己的切片做注意力，按 d_head 的平方根缩放；然后拼接，最后乘 W_O。",
        ),
    )


@chinese("所有的头共用一个掩码")
def test_one_mask_holds_for_all_heads(student):
    """A batch of two sentences, as many as heads; the second sentence has one real token."""
    mask = np.array([[[True, True]], [[True, False]]])
    only_first = [[1.0, 0.0], [1.0, 0.0]]
    expect(student.multi_head_attention(np.stack([X, X]), 2, W_Q, W_K, W_V, W_O, mask=mask)).to_match(
        ([[[6.0, 15.0], [6.0, 15.0]], [[4.0, 8.0], [4.0, 8.0]]], [[EVEN, ONE_TO_THREE], [only_first, only_first]]),
        "output",
        "weights",
        because=Text(
            "The mask of a sentence holds for all its heads; it must not land on the heads' axis.",
            "一个句子的掩码对它的所有头都有效，不能落在头的那个轴上。",
        ),
    )


@chinese("头数不能整除维数时要拒绝")
def test_a_width_that_the_heads_do_not_divide_is_refused(student):
    """Six features cannot be shared by four heads."""
    divides = Text("d_model is not divisible by n_heads", "d_model 不能被 n_heads 整除")
    expect(student.split_heads(np.ones((2, 6)), 4)).to_raise(ValueError, when=divides)
    six = np.ones((6, 6))
    expect(student.multi_head_attention(np.ones((2, 6)), 4, six, six, six, six)).to_raise(ValueError, when=divides)
