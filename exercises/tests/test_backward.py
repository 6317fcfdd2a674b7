"""Visible tests of the gradients of attention: run them with pytest while you write."""

import numpy as np

from .expect import Text, expect
from .titles import chinese

HINTS = {
    "attention_backward": Text(
        "For output = weights @ V: which shape has the gradient of each factor, and which product of d_output has that shape?",
        "对 output = weights @ V：两个因子的梯度各是什么形状？d_output 的哪个乘积具有这个形状？",
    ),
}

# Two queries that like all three keys equally, so every weight is 1/3 (d_k = 4, so the scores are divided by 2).
Q = np.array([[1.0, 0.0, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0]])
K = np.array([[0.0, 0.0, 3.0, 0.0], [0.0, 6.0, 0.0, 0.0], [0.0, 0.0, 0.0, 9.0]])
V = np.array([[3.0, 0.0], [6.0, 0.0], [12.0, 3.0]])

SHARES = Text(
    "dV = weightsᵀ @ d_output: each value gets the gradient of the outputs that it went into, by its weights.",
    "dV = weightsᵀ @ d_output：每个值按权重得到它参与的那些输出的梯度。",
)
THROUGH = Text(
    "d_scores = weights * (d_weights - the row's sum of weights * d_weights), then the rule of the matrix product, with 1 / √d_k.",
    "d_scores = weights * (d_weights - 该行 weights * d_weights 之和)，再用矩阵乘法的求导规则，并乘 1 / √d_k。",
)
BLOCKED = Text("What a mask blocks has weight 0, and no gradient goes through it.", "被掩码遮住的权重为 0，没有梯度流过。")


def gradients(reply):
    """dQ, dK and dV of a call, each as a reply of its own."""
    return expect(reply).parts("dQ", "dK", "dV")


@chinese("值的梯度")
def test_the_gradient_of_the_values(student):
    """A third of each output's gradient goes to each value."""
    _, _, dV = gradients(student.attention_backward(np.array([[3.0, 0.0], [0.0, 6.0]]), Q, K, V))
    expect(dV).to_match([[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]], because=SHARES)


@chinese("查询和键的梯度")
def test_the_gradients_of_queries_and_keys(student):
    """The loss is the first feature of the first output, 7: values above 7 pull their keys' scores up, values below push."""
    dQ, dK, _ = gradients(student.attention_backward(np.array([[1.0, 0.0], [0.0, 0.0]]), Q, K, V))
    expect(dQ).to_match([[0.0, -1.0, -2.0, 7.5], [0.0, 0.0, 0.0, 0.0]], because=THROUGH)
    expect(dK).to_match([[-2 / 3, 0.0, 0.0, 0.0], [-1 / 6, 0.0, 0.0, 0.0], [5 / 6, 0.0, 0.0, 0.0]], because=THROUGH)


@chinese("梯度穿不过掩码")
def test_no_gradient_passes_a_mask(student):
    """The first query sees the keys 0 and 1 (weights one half each), the second sees nothing."""
    mask = np.array([[True, True, False], [False, False, False]])
    dQ, dK, dV = gradients(student.attention_backward(np.array([[4.0, 0.0], [4.0, 4.0]]), Q, K, V, mask))
    expect(dV).to_match([[2.0, 0.0], [2.0, 0.0], [0.0, 0.0]], because=BLOCKED)
    expect(dQ).to_match([[0.0, 9.0, -4.5, 0.0], [0.0, 0.0, 0.0, 0.0]], because=BLOCKED)
    expect(dK).to_match([[-1.5, 0.0, 0.0, 0.0], [1.5, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]], because=BLOCKED)


@chinese("一批句子互不干扰")
def test_the_sentences_of_a_batch_stay_apart(student):
    """The same sentence twice, with another gradient of its output each time."""
    d_output = np.array([[[1.0, 0.0], [0.0, 0.0]], [[2.0, 0.0], [0.0, 0.0]]])
    dQ, _, dV = gradients(student.attention_backward(d_output, np.stack([Q, Q]), np.stack([K, K]), np.stack([V, V])))
    row = np.array([[0.0, -1.0, -2.0, 7.5], [0.0, 0.0, 0.0, 0.0]])
    third = np.array([[1 / 3, 0.0]] * 3)
    apart = Text("Each sentence of a batch has gradients of its own.", "批次中的每个句子有各自的梯度。")
    expect(dQ).to_match(np.stack([row, 2.0 * row]), because=apart)
    expect(dV).to_match(np.stack([third, 2.0 * third]), because=apart)


@chinese("不改动参数")
def test_the_arguments_are_left_alone(student):
    """The caller still needs all of them."""
    expect(student.attention_backward(np.ones((2, 2)), Q, K, V, np.ones((2, 3), dtype=int))).to_leave_arguments_alone()
