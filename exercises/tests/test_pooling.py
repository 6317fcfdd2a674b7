"""Visible tests of attention pooling: run them with pytest while you write."""

import numpy as np

from .expect import Text, expect
from .titles import chinese

HINTS = {
    "AttentionPooling": Text(
        "How many numbers does W give for one token, and which shape of W says that H @ W is a matrix product?",
        "W 为一个词元给出几个数？W 是什么形状，H @ W 才是矩阵乘积？",
    ),
    "AttentionPooling.forward": Text(
        "Which axis of H @ W counts the tokens, and which one has length 1?",
        "H @ W 的哪个轴对应词元？哪个轴的长度是 1？",
    ),
}

# The first feature alone scores a token: 0, ln 2 and ln 5, so the weights are 1/8, 2/8 and 5/8.
H = np.array([[0.0, 8.0, 0.0], [np.log(2.0), 0.0, 8.0], [np.log(5.0), 16.0, 0.0]])
MEAN = [0.125 * H[0, 0] + 0.25 * H[1, 0] + 0.625 * H[2, 0], 11.0, 2.0]


def pooling(student):
    """A pooling layer whose scores are the first feature."""
    model = student.AttentionPooling(3)
    model.W = np.array([[1.0], [0.0], [0.0]])
    return model


@chinese("W 只有一列")
def test_w_is_a_column(student):
    """(hidden_size, 1), and not all zeros."""
    model = student.AttentionPooling(hidden_size=4)
    first = expect(model.W).to_be_numbers((4, 1))
    expect(model.W).to_hold(bool(first.any()), Text("W must not be all zeros.", "W 不能全是零。"))


@chinese("词元按权重计入")
def test_tokens_count_by_their_weight(student):
    """One sentence of three tokens."""
    expect(pooling(student).forward(H)).to_match(
        (MEAN, [0.125, 0.25, 0.625]),
        "output",
        "weights",
        because=Text(
            "weights = softmax of H @ W over the tokens (no scaling), output = the average of the tokens with these weights.",
            "weights 是 H @ W 沿词元方向的 softmax（不缩放），output 是以此为权重的词元加权平均。",
        ),
    )


@chinese("一批句子各自池化")
def test_every_sentence_of_a_batch_is_pooled_by_itself(student):
    """The same sentence twice, the second time with the tokens in another order."""
    order = [2, 0, 1]
    expect(pooling(student).forward(np.stack([H, H[order]]))).to_match(
        ([MEAN, MEAN], [[0.125, 0.25, 0.625], [0.625, 0.125, 0.25]]),
        "output",
        "weights",
        because=Text("Each sentence of a batch has weights of its own, which add up to 1.", "批次中的每个句子有自己的权重，加起来等于 1。"),
    )


@chinese("填充没有权重")
def test_padding_has_no_weight(student):
    """The first sentence has two real tokens, the second none."""
    mask = np.array([[True, True, False], [False, False, False]])
    expect(pooling(student).forward(np.stack([H, H]), mask=mask)).to_match(
        ([[2 / 3 * np.log(2.0), 8 / 3, 16 / 3], [0.0, 0.0, 0.0]], [[1 / 3, 2 / 3, 0.0], [0.0, 0.0, 0.0]]),
        "output",
        "weights",
        because=Text(
            "Where the mask is False the weight is 0 and the others add up to 1; a sentence of nothing but padding gives zeros.",
            "掩码为 False 的位置权重为 0，其余权重加起来等于 1；全是填充的句子结果为零。",
        ),
    )
