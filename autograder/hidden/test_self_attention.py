"""Grades exercise `self_attention`."""

import numpy as np
import pytest

from autograder.grading import Text, expect, graded

PROJECTIONS = Text(
    "Q = X W_Q, K = X W_K, V = X W_V with the matrices as they are at the time of the call, then scaled dot-product attention.",
    "Q = X W_Q，K = X W_K，V = X W_V，用调用时的矩阵，然后做缩放点积注意力。",
)
OUTPUT_PROJECTION = Text("Where there is a W_O, output = weights times V times W_O.", "有 W_O 时，output 等于 weights 乘 V 再乘 W_O。")
ALLOWED_ONLY = Text("A token attends only to the tokens that the mask allows (True or 1).", "每个词元只关注掩码允许（True 或 1）的词元。")


@pytest.fixture
def models(student, reference, projection):
    """The student's model and the reference's of the same sizes, with the same random weights."""

    def build(d_model, d_k, d_v, d_out=None):
        pair = student.SelfAttention(d_model, d_k, d_v, d_out), reference.SelfAttention(d_model, d_k, d_v, d_out)
        weights = {"W_Q": (d_model, d_k), "W_K": (d_model, d_k), "W_V": (d_model, d_v), "W_O": (d_v, d_out)}
        for name in [*weights][: 3 if d_out is None else 4]:
            matrix = projection(*weights[name])
            for model in pair:
                setattr(model, name, matrix)
        return pair

    return build


@graded(1.5, "Output and weights without an output projection", "没有输出投影时的输出和权重")
def test_values(models, rng, sizes):
    for d_k, d_v in ((sizes.d_k, sizes.d_v), (1, 1)):
        model, right = models(sizes.n_k, d_k, d_v)
        for shape in ((sizes.batch, sizes.n), (sizes.n,), (2, 3, sizes.n), (1, 1)):
            X = rng.normal(size=(*shape, sizes.n_k))
            expect(model.forward(X)).to_match(right.forward(X), "output", "weights", because=PROJECTIONS)


@graded(1.5, "The output projection", "输出投影")
def test_output_projection(models, rng, sizes):
    for d_model, d_k, d_v, d_out in ((sizes.n_k, sizes.d_k, sizes.d_v, sizes.n_q), (3, 3, 3, 3)):
        model, right = models(d_model, d_k, d_v, d_out)
        for leading in ((sizes.batch,), ()):
            X = rng.normal(size=(*leading, sizes.n, d_model))
            expect(model.forward(X=X)).to_match(right.forward(X), "output", "weights", because=OUTPUT_PROJECTION)


@graded(0.5, "A new model uses the weights it has drawn", "新模型使用自己抽取的权重")
def test_own_weights(student, reference, rng, sizes):
    model = student.SelfAttention(d_model=sizes.n_k, d_k=sizes.d_k, d_v=sizes.d_v, d_out=sizes.n_q, seed=5)
    right = reference.SelfAttention(sizes.n_k, sizes.d_k, sizes.d_v, sizes.n_q)
    right.W_Q = expect(model.W_Q).to_be_numbers((sizes.n_k, sizes.d_k))
    right.W_K = expect(model.W_K).to_be_numbers((sizes.n_k, sizes.d_k))
    right.W_V = expect(model.W_V).to_be_numbers((sizes.n_k, sizes.d_v))
    right.W_O = expect(model.W_O).to_be_numbers((sizes.d_v, sizes.n_q))
    X = rng.normal(size=(sizes.n, sizes.n_k))
    expect(model.forward(X)).to_match(right.forward(X), "output", "weights", because=PROJECTIONS)
    plain = student.SelfAttention(sizes.n_k, sizes.d_k, sizes.d_v)
    expect(plain.W_O).to_match(None, because=Text("W_O is None where d_out is None.", "没有给 d_out 时，W_O 是 None。"))


@graded(1.5, "The mask is obeyed", "遵守掩码")
def test_mask(models, reference, rng, sizes, random_mask):
    n, d_model = sizes.n, sizes.n_k
    model, right = models(d_model, sizes.d_k, sizes.d_v, sizes.n_q)
    one, batch, nested = rng.normal(size=(n, d_model)), rng.normal(size=(n, n, d_model)), rng.normal(size=(2, 3, n, d_model))
    lengths = rng.integers(1, n + 1, size=n)
    for X, mask in (
        (one, reference.causal_mask(n)),
        (batch, reference.causal_mask(n).astype(int)),
        (batch, reference.padding_mask(lengths, n)),
        (batch, random_mask(n, n, n)),
        (nested, random_mask(2, 1, 1, n)),
    ):
        want = right.forward(X, mask)
        expect(model.forward(X, mask)).to_match(want, "output", "weights", because=ALLOWED_ONLY)
        expect(model.forward(X=X, mask=mask)).to_match(want, "output", "weights", because=ALLOWED_ONLY)


@graded(0.5, "A token that sees nothing", "什么都看不到的词元")
def test_blocked_token(models, rng, sizes, random_mask):
    mask = random_mask(sizes.n, sizes.n)
    mask[0] = False
    for d_out in (None, sizes.n_q):
        model, right = models(sizes.n_k, sizes.d_k, sizes.d_v, d_out)
        X = rng.normal(size=(sizes.batch, sizes.n, sizes.n_k))
        expect(model.forward(X, mask)).to_match(
            right.forward(X, mask),
            "output",
            "weights",
            because=Text("A token that may attend to nothing has weights 0 and output 0.", "什么都看不到的词元，权重为 0，输出也为 0。"),
        )


@graded(0.5, "Large scores do not overflow", "很大的分数不会溢出")
def test_large_scores(models, rng, sizes, with_scores):
    model, right = models(8, 16, sizes.d_v)
    W_Q, W_K, X = np.zeros((8, 16)), np.zeros((8, 16)), np.eye(5, 8)
    W_Q[:5], W_K[:5] = with_scores(64.0 * rng.permuted(np.tile([-128, -127, 0, 127, 128], (5, 1)), axis=1))
    for each in (model, right):
        each.W_Q, each.W_K = W_Q, W_K
    expect(model.forward(X)).to_match(
        right.forward(X),
        "output",
        "weights",
        because=Text("A row of large scores gives all its weight to the best key.", "分数很大的一行把全部权重给最匹配的键。"),
    )


# Sizes (d_model, d_k, d_v, d_out) at which one matrix has over 10,000 entries, with lengths far apart, and the others hardly any.
LARGE = {"W_Q": (60, 170, 3, 5), "W_K": (30, 340, 5, 3), "W_V": (75, 4, 135, 5), "W_O": (4, 5, 60, 170)}


@pytest.mark.parametrize("name", LARGE)
@graded(0.5, "Start values by Xavier's rule", "按 Xavier 规则取初始值")
def test_xavier(student, rng, name):
    d_model, d_k, d_v, d_out = LARGE[name]
    fan_in, fan_out = {"W_Q": (d_model, d_k), "W_K": (d_model, d_k), "W_V": (d_model, d_v), "W_O": (d_v, d_out)}[name]
    std = np.sqrt(2 / (fan_in + fan_out))
    reply = getattr(student.SelfAttention(d_model, d_k, d_v, d_out, seed=int(rng.integers(2**31))), name)
    drawn = expect(reply).to_be_numbers((fan_in, fan_out))
    expect(reply).to_hold(
        abs(drawn.std() / std - 1) <= 0.1,
        Text(
            "The standard deviation is √(2 / (fan_in + fan_out)) with the two lengths of this matrix itself.",
            "标准差是 √(2 / (fan_in + fan_out))，用的是这个矩阵自己的两个边长。",
        ),
    )
    expect(reply).to_hold(abs(drawn.mean()) <= 0.06 * std, Text("The mean is 0.", "均值是 0。"))


@graded(0.5, "The seed decides the weights", "权重由种子决定", property_alone=True)
def test_seed(student, rng):
    same = Text("The same arguments must give the same weights.", "同样的参数必须得到同样的权重。")
    another = Text("Another seed must give other weights.", "换一个种子必须得到不同的权重。")
    seed = int(rng.integers(1000))
    model, again, other = (student.SelfAttention(6, 4, 5, 3, given) for given in (seed, seed, seed + 1))
    for name, shape in {"W_Q": (6, 4), "W_K": (6, 4), "W_V": (6, 5), "W_O": (5, 3)}.items():
        drawn = expect(getattr(model, name)).to_be_numbers(shape)
        expect(getattr(again, name)).to_match(drawn, because=same)
        reply = getattr(other, name)
        expect(reply).to_hold(not np.allclose(expect(reply).to_be_numbers(shape), drawn), another)
    default = expect(student.SelfAttention(6, 4, 5).W_Q).to_be_numbers((6, 4))
    expect(student.SelfAttention(6, 4, 5, seed=42).W_Q).to_match(default, because=same)


@graded(0.5, "W_Q, W_K and W_V are three matrices", "W_Q、W_K、W_V 是三个不同的矩阵", property_alone=True)
def test_three_matrices(student, rng):
    model = student.SelfAttention(5, 5, 5, 5, seed=int(rng.integers(1000)))
    W_Q, W_K, W_V = (expect(reply).to_be_numbers((5, 5)) for reply in (model.W_Q, model.W_K, model.W_V))
    differ = Text(
        "W_Q, W_K and W_V are drawn one after another; a generator that starts anew gives the same numbers again.",
        "W_Q、W_K、W_V 要依次抽取；重新开始的随机数生成器会给出同样的数。",
    )
    for reply, matrix, other in ((model.W_K, W_K, W_Q), (model.W_V, W_V, W_Q), (model.W_V, W_V, W_K)):
        expect(reply).to_hold(not np.allclose(matrix, other) and not np.allclose(matrix, other.T), differ)


@graded(0.5, "A mask that does not fit is refused", "拒绝形状不符的掩码", property_alone=True)
def test_mask_that_does_not_fit(models, rng, sizes):
    model, _ = models(sizes.n_k, sizes.d_k, sizes.d_v)
    for shape in ((sizes.n, sizes.n + 1), (sizes.batch + 1, 1, sizes.n)):
        X = rng.normal(size=(sizes.batch, sizes.n, sizes.n_k))
        expect(model.forward(X, np.ones(shape, dtype=bool))).to_raise(
            ValueError, when=Text("the mask does not broadcast to (..., n, n)", "掩码不能广播到 (..., n, n)")
        )


@graded(0.5, "The arguments are left alone", "不修改参数", property_alone=True)
def test_arguments_are_left_alone(models, rng, sizes, random_mask):
    model, _ = models(sizes.n_k, sizes.d_k, sizes.d_v, sizes.n_q)
    X, mask = rng.normal(size=(sizes.batch, sizes.n, sizes.n_k)), random_mask(sizes.n, sizes.n)
    mask[0] = False
    expect(model.forward(X)).to_leave_arguments_alone()
    expect(model.forward(X, mask)).to_leave_arguments_alone()
