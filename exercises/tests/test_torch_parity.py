"""Visible tests of the parity with PyTorch: run them with pytest while you write. The numbers are nn.MultiheadAttention's own."""

import numpy as np

from .expect import Text, expect
from .titles import chinese

HINTS = {
    "multi_head_from_torch": Text(
        "Which rows of in_proj_weight make the keys, and on which side of x does a matrix stand that is stored as (out, in)?",
        "in_proj_weight 的哪些行产生键？以 (out, in) 存放的矩阵应当怎样与 x 相乘？",
    ),
}

X = np.array([[-0.2, 0.7, 0.7, 0.3], [-1.0, 0.4, -0.6, 0.7], [0.9, -0.1, 1.0, 0.5]])
STATE = {
    "in_proj_weight": np.array(
        [
            *([0.7, -0.9, -0.7, -0.6], [-0.7, 0.6, 0.8, 0.2], [-1.0, -0.9, -0.4, -0.1], [0.3, 0.0, -0.5, -0.7]),
            *([0.4, 0.5, -1.0, -0.8], [-0.1, -0.2, 0.8, 0.0], [-0.2, -0.1, 0.3, 0.2], [-0.7, 0.5, 0.5, 1.0]),
            *([0.6, -0.5, -0.4, 0.3], [0.3, 0.4, 0.8, -0.4], [0.9, -1.0, -0.9, 1.0], [0.9, -0.4, -0.8, -0.4]),
        ]
    ),
    "in_proj_bias": np.array([-1.0, 0.8, 0.3, 0.2, -0.5, -0.1, -0.7, 0.6, -0.1, -1.0, -0.5, 0.4]),
    "out_proj.weight": np.array([[0.0, -0.3, -0.5, -0.9], [0.2, 0.3, 0.0, 0.9], [0.9, -0.6, 0.2, 0.3], [-0.5, -0.4, 0.0, 0.5]]),
    "out_proj.bias": np.array([-0.4, 0.5, 0.3, -0.6]),
}
UNMASKED = (
    np.array(
        [[0.262868, 0.178149, 0.222283, -0.622183], [0.302354, 0.142223, 0.194645, -0.580456], [0.315271, 0.100204, 0.186491, -0.498025]]
    ),
    np.array([[0.271538, 0.165331, 0.563131], [0.300598, 0.170888, 0.528514], [0.311503, 0.210669, 0.477828]]),
)
CAUSAL = (
    np.array([[1.223, -0.42, -0.744, -0.454], [0.912148, -0.368292, -0.39854, -0.311849], UNMASKED[0][2]]),
    np.array([[1.0, 0.0, 0.0], [0.684201, 0.315799, 0.0], UNMASKED[1][2]]),
)
PROJECT = Text(
    "Q, K and V are x Wᵀ + b with the three parts of in_proj_weight and in_proj_bias; the output is projected the same way.",
    "Q、K、V 都是 x Wᵀ + b，其中 W 和 b 依次是 in_proj_weight 和 in_proj_bias 的三个部分；输出的投影也是如此。",
)


@chinese("与 PyTorch 的数一致")
def test_the_numbers_of_pytorch(student):
    """Two heads on three tokens."""
    expect(student.multi_head_from_torch(X, STATE, 2)).to_match(UNMASKED, "output", "weights", because=PROJECT)


@chinese("因果掩码采用本课程的约定")
def test_a_causal_mask_in_the_polarity_of_this_course(student):
    """True = may attend; PyTorch itself was given the opposite."""
    expect(student.multi_head_from_torch(X, STATE, 2, mask=np.tri(3, dtype=bool))).to_match(
        CAUSAL,
        "output",
        "weights",
        because=Text("True (or 1) in the mask means that the query may attend to the key.", "掩码中的 True（或 1）表示查询可以关注该键。"),
    )


@chinese("一批中每个句子各有掩码")
def test_one_mask_per_sentence_of_a_batch(student):
    """As many sentences as heads: the first without a mask's effect, the second causal."""
    mask = np.stack([np.ones((3, 3)), np.tri(3)]).astype(int)
    want = tuple(np.stack(pair) for pair in zip(UNMASKED, CAUSAL, strict=True))
    expect(student.multi_head_from_torch(np.stack([X, X]), STATE, 2, mask)).to_match(
        want,
        "output",
        "weights",
        because=Text(
            "The mask of a sentence holds for all its heads; the weights are the mean over the heads.",
            "一个句子的掩码对它的所有头都有效；权重是各头的平均。",
        ),
    )


@chinese("不改动参数")
def test_the_argument_is_left_alone(student):
    """The caller still needs the tokens."""
    expect(student.multi_head_from_torch(X, STATE, 2)).to_leave_arguments_alone()
