"""Visible tests of SelfAttention: run them with pytest while you write."""

import numpy as np

from .expect import Text, expect
from .titles import chinese

HINTS = {
    "SelfAttention": Text(
        "Which two lengths of a matrix decide its standard deviation, and how many generators do three different matrices need?",
        "矩阵的哪两个边长决定它的标准差？要得到三个不同的矩阵，需要几个随机数生成器？",
    ),
    "SelfAttention.forward": Text(
        "Which three arrays does attention want, and how does each of them come from X? What is left to do after it?",
        "注意力需要哪三个数组？它们各自怎样由 X 得到？算完注意力之后还剩什么要做？",
    ),
}

X = np.array([[2.0, 0.0, 1.0], [0.0, 4.0, 1.0]])


def small_model(student, d_out=None):
    """A model whose queries are all ln 3 and whose keys are the second feature over 4: scores 0 and ln 3."""
    model = student.SelfAttention(d_model=3, d_k=1, d_v=2, d_out=d_out)
    model.W_Q = np.array([[0.0], [0.0], [np.log(3.0)]])
    model.W_K = np.array([[0.0], [0.25], [0.0]])
    model.W_V = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    return model


@chinese("各矩阵的形状与投影相符")
def test_the_matrices_have_the_shapes_of_their_projections(student):
    """(d_model, d_k) twice, (d_model, d_v), and no W_O where there is no d_out."""
    model = student.SelfAttention(5, 3, 2)
    expect(model.W_Q).to_be_numbers((5, 3))
    expect(model.W_K).to_be_numbers((5, 3))
    expect(model.W_V).to_be_numbers((5, 2))
    expect(model.W_O).to_match(None, because=Text("W_O must be None where d_out is None.", "没有给 d_out 时，W_O 必须是 None。"))
    expect(student.SelfAttention(5, 3, 2, d_out=4).W_O).to_be_numbers((2, 4))


@chinese("种子决定矩阵")
def test_the_seed_decides_the_matrices(student):
    """One seed, one model; and never the same matrix twice in one model."""
    model, again, other = (student.SelfAttention(4, 4, 4, seed=seed) for seed in (1, 1, 2))
    first = expect(model.W_Q).to_be_numbers((4, 4))
    expect(again.W_Q).to_match(first, because=Text("The same seed must give the same weights.", "同一个种子必须得到同样的权重。"))
    for reply, should in (
        (other.W_Q, Text("Another seed must give other weights.", "换一个种子必须得到不同的权重。")),
        (model.W_K, Text("W_K must not be the same matrix as W_Q.", "W_K 不能与 W_Q 是同一个矩阵。")),
        (model.W_V, Text("W_V must not be the same matrix as W_Q.", "W_V 不能与 W_Q 是同一个矩阵。")),
    ):
        expect(reply).to_hold(not np.allclose(expect(reply).to_be_numbers((4, 4)), first), should)


@chinese("初始值的标准差符合 Xavier")
def test_the_start_values_have_xaviers_spread(student):
    """√(2 / (fan_in + fan_out)) for each matrix: 0.1 where the lengths add up to 200, 0.05 where they add up to 800."""
    model = student.SelfAttention(d_model=120, d_k=80, d_v=680, d_out=120)
    for reply, shape, spread in (
        (model.W_Q, (120, 80), 0.1),
        (model.W_K, (120, 80), 0.1),
        (model.W_V, (120, 680), 0.05),
        (model.W_O, (680, 120), 0.05),
    ):
        found = float(np.std(expect(reply).to_be_numbers(shape)))
        expect(reply).to_hold(
            abs(found - spread) < 0.1 * spread,
            Text(f"Its standard deviation must be near {spread}; it is {found:.3f}.", f"标准差应接近 {spread}，现在是 {found:.3f}。"),
        )


@chinese("查询、键、值都是 X 的投影")
def test_queries_keys_and_values_are_projections_of_x(student):
    """Both tokens give weight 1/4 to the first token and 3/4 to the second."""
    expect(small_model(student).forward(X)).to_match(
        ([[0.5, 3.0], [0.5, 3.0]], [[0.25, 0.75], [0.25, 0.75]]),
        "output",
        "weights",
        because=Text(
            "Q, K and V are X times W_Q, W_K and W_V as they are at the time of the call.",
            "Q、K、V 是 X 乘以调用时的 W_Q、W_K、W_V。",
        ),
    )


@chinese("最后做输出投影")
def test_the_output_projection_comes_last(student):
    """W_O (d_v, d_out) maps the average of the values."""
    model = small_model(student, d_out=1)
    model.W_O = np.array([[2.0], [1.0]])
    expect(model.forward(X)).to_match(
        ([[4.0], [4.0]], [[0.25, 0.75], [0.25, 0.75]]),
        "output",
        "weights",
        because=Text("Where there is a W_O, output = weights times V times W_O.", "有 W_O 时，output 等于 weights 乘 V 再乘 W_O。"),
    )


@chinese("遵守掩码")
def test_the_mask_is_obeyed(student):
    """The first token may see only itself."""
    expect(small_model(student).forward(X, mask=np.array([[1, 0], [1, 1]]))).to_match(
        ([[2.0, 0.0], [0.5, 3.0]], [[1.0, 0.0], [0.25, 0.75]]),
        "output",
        "weights",
        because=Text("A token attends only to the tokens that the mask allows (True or 1).", "每个词元只关注掩码允许（True 或 1）的词元。"),
    )
