"""Visible tests of the reason for the scaling: run them with pytest while you write."""

import numpy as np

from .expect import Text, expect
from .titles import chinese

HINTS = {
    "dot_product_std": Text(
        "For n_pairs pairs: how many dot products are there, and of which numbers is the standard deviation taken?",
        "有 n_pairs 对向量时，一共有多少个点积？标准差是对哪些数求的？",
    ),
    "softmax_jacobian": Text(
        "For a row of three weights: what stands on the diagonal of its matrix, what beside it? Which axes give all w_i w_j at once?",
        "一行有三个权重时：它的矩阵对角线上是什么，其余位置是什么？怎样安排轴才能一次得到所有乘积 w_i w_j？",
    ),
}

SPREAD = Text(
    "Over random pairs of width d_k the dot products have a standard deviation near √d_k, and near 1 after the division by √d_k.",
    "对宽度为 d_k 的随机向量对，点积的标准差接近 √d_k；除以 √d_k 之后接近 1。",
)
JACOBIAN = Text(
    "Entry (i, j) is w_i − w_i² where i = j, and −w_i w_j elsewhere: diag(w) − w wᵀ for each row w.",
    "第 (i, j) 项在 i = j 时是 w_i − w_i²，其他位置是 −w_i w_j；即对每一行 w 计算 diag(w) − w wᵀ。",
)


@chinese("点积按 d_k 的平方根分散")
def test_dot_products_spread_like_the_root_of_d_k(student):
    """Width 9 and width 64: near 3 and near 8, and near 1 once they are scaled."""
    for d_k, root in ((9, 3.0), (64, 8.0)):
        raw, scaled = expect(student.dot_product_std(d_k)).parts("raw", "scaled")
        expect(raw).to_hold(abs(expect(raw).to_be_numbers(()) / root - 1) < 0.05, SPREAD)
        expect(scaled).to_hold(abs(expect(scaled).to_be_numbers(()) - 1) < 0.05, SPREAD)


@chinese("种子决定抽到什么")
def test_the_seed_decides_what_is_drawn(student):
    """One seed, one result; another seed draws other pairs."""

    def raw(seed):
        first, _ = expect(reply := student.dot_product_std(16, n_pairs=200, seed=seed)).parts("raw", "scaled")
        return reply, float(expect(first).to_be_numbers(()))

    reply, first = raw(1)
    expect(reply).to_hold(first == raw(1)[1], Text("The same seed must give the same result.", "同一个种子必须得到同样的结果。"))
    expect(reply).to_hold(
        first != raw(2)[1],
        Text("Another seed must draw other pairs, so the result is another.", "换一个种子就要抽取另一批向量对，结果也就不同。"),
    )


@chinese("一个 softmax 的雅可比矩阵")
def test_the_jacobian_of_one_softmax(student):
    """Two weights, then three; each row of the matrix adds up to 0, because the weights always add up to 1."""
    expect(student.softmax_jacobian(np.array([0.25, 0.75]))).to_match([[0.1875, -0.1875], [-0.1875, 0.1875]], because=JACOBIAN)
    expect(student.softmax_jacobian(np.array([0.5, 0.3, 0.2]))).to_match(
        [[0.25, -0.15, -0.1], [-0.15, 0.21, -0.06], [-0.1, -0.06, 0.16]], because=JACOBIAN
    )


@chinese("一批中每一行各有一个矩阵")
def test_a_matrix_for_every_row_of_a_batch(student):
    """A softmax that is certain has no gradient at all."""
    expect(student.softmax_jacobian(np.array([[0.25, 0.75], [1.0, 0.0], [0.5, 0.5]]))).to_match(
        [[[0.1875, -0.1875], [-0.1875, 0.1875]], [[0.0, 0.0], [0.0, 0.0]], [[0.25, -0.25], [-0.25, 0.25]]],
        because=Text(
            "Weights (..., n) give a matrix of their own for every row: (..., n, n).", "权重 (..., n) 的每一行各得到一个矩阵：(..., n, n)。"
        ),
    )


@chinese("不改动参数")
def test_the_argument_is_left_alone(student):
    """The caller still needs the weights."""
    expect(student.softmax_jacobian(np.array([[0.25, 0.75], [0.5, 0.5]]))).to_leave_arguments_alone()
