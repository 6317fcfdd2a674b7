"""Grades exercise `torch_parity`, against the reference and against numbers that PyTorch itself gave (tools/make_torch_parity.py)."""

from functools import cache
from pathlib import Path

import numpy as np

from autograder.grading import Text, expect, graded

PYTORCH = Path(__file__).parent / "data" / "torch_parity.npz"

PROJECTIONS = Text(
    "Q, K and V are x Wᵀ + b with the three parts of in_proj_weight and in_proj_bias, in this order; "
    "the output is the concatenated heads times out_proj.weightᵀ plus out_proj.bias.",
    "Q、K、V 依次用 in_proj_weight 和 in_proj_bias 的三个部分计算 x Wᵀ + b；输出是拼接后的各头乘 out_proj.weightᵀ 再加 out_proj.bias。",
)
POLARITY = Text(
    "True (or 1) in the mask means that the query may attend to the key, and one mask holds for all heads of its sentence.",
    "掩码中的 True（或 1）表示查询可以关注该键；一个掩码对它那个句子的所有头都有效。",
)


def draw_state(rng, d_model):
    """Parameters as an nn.MultiheadAttention has them, the biases not 0."""
    return {
        "in_proj_weight": rng.normal(size=(3 * d_model, d_model)) / np.sqrt(d_model),
        "in_proj_bias": rng.normal(size=3 * d_model),
        "out_proj.weight": rng.normal(size=(d_model, d_model)) / np.sqrt(d_model),
        "out_proj.bias": rng.normal(size=d_model),
    }


@cache
def numbers_of_pytorch():
    """The stored cases: the arrays of each by their names."""
    with np.load(PYTORCH) as stored:
        arrays = dict(stored)
    cases = {}
    for path, values in arrays.items():
        case, _, name = path.partition("/")
        if name:  # one entry tells PyTorch's version
            cases.setdefault(int(case), {})[name] = values
    return [cases[case] for case in sorted(cases)]


@graded(0.5, "A batch and a single sentence, without a mask", "一个批次和单个句子，没有掩码")
def test_without_a_mask(student, reference, rng, sizes):
    for n_heads, d_head in ((2, 3), (4, 2), (1, 5)):
        state = draw_state(rng, n_heads * d_head)
        for shape in ((sizes.batch, sizes.n), (sizes.n,), (1,)):
            X = rng.normal(size=(*shape, n_heads * d_head))
            want = reference.multi_head_from_torch(X, state, n_heads)
            expect(student.multi_head_from_torch(X, state, n_heads)).to_match(want, "output", "weights", because=PROJECTIONS)
        expect(student.multi_head_from_torch(n_heads=n_heads, state=state, X=X)).to_match(want, "output", "weights", because=PROJECTIONS)


@graded(0.5, "Several leading axes, axes of equal length", "多个前导轴，长度相等的轴")
def test_leading_axes(student, reference, rng, sizes, random_mask):
    for leading, n, n_heads, d_head in (((2, 3), sizes.n, 4, 2), ((3,), 3, 3, 1), ((2,), 2, 2, 2), ((3, 3), 3, 3, 3)):
        X, state = rng.normal(size=(*leading, n, n_heads * d_head)), draw_state(rng, n_heads * d_head)
        for mask in (None, random_mask(*leading, n, n), random_mask(leading[-1], 1, n)):
            want = reference.multi_head_from_torch(X, state, n_heads, mask)
            expect(student.multi_head_from_torch(X, state, n_heads, mask)).to_match(
                want, "output", "weights", because=PROJECTIONS if mask is None else POLARITY
            )


@graded(1.0, "Masks, in the polarity of this course", "掩码，采用本课程的约定")
def test_masks(student, reference, rng, random_mask):
    for turn, (batch, n, n_heads, d_head) in enumerate(((4, 5, 3, 2), (2, 6, 2, 4), (3, 3, 3, 3))):
        X, state = rng.normal(size=(batch, n, n_heads * d_head)), draw_state(rng, n_heads * d_head)
        masks = (np.tri(n, dtype=bool), random_mask(batch, 1, n), random_mask(batch, n, n), random_mask(1, n))
        for number, mask in enumerate(masks, start=turn):
            want = reference.multi_head_from_torch(X, state, n_heads, mask)
            if number % 2:
                reply = student.multi_head_from_torch(X, state, n_heads, mask=mask)
            else:
                reply = student.multi_head_from_torch(X, state, n_heads, mask.astype(int))
            expect(reply).to_match(want, "output", "weights", because=POLARITY)
        want = reference.multi_head_from_torch(X[0], state, n_heads, np.tri(n))
        expect(student.multi_head_from_torch(X[0], state, n_heads, np.tri(n, dtype=int))).to_match(
            want, "output", "weights", because=POLARITY
        )


@graded(1.0, "The numbers that PyTorch gave", "PyTorch 自己给出的数值")
def test_the_numbers_of_pytorch(student):
    for facts in numbers_of_pytorch():
        state = {name: facts[name] for name in ("in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias")}
        expect(student.multi_head_from_torch(facts["X"], state, int(facts["n_heads"]), facts.get("mask"))).to_match(
            (facts["output"], facts["weights"]), "output", "weights", because=POLARITY if "mask" in facts else PROJECTIONS
        )


@graded(0.5, "Large scores do not overflow", "很大的分数不会溢出")
def test_large_scores(student, reference, rng):
    n, n_heads, d_head = 6, 2, 4
    d_model = n_heads * d_head
    state = draw_state(rng, d_model)
    state["in_proj_bias"][: 2 * d_model] = 0.0
    for sign in (1.0, -1.0):
        state["in_proj_weight"][:d_model] = 16.0 * np.eye(d_model)
        state["in_proj_weight"][d_model : 2 * d_model] = sign * 16.0 * np.eye(d_model)
        X = np.zeros((n, d_model))
        X[:, [0, d_head]] = 1.0 + rng.permutation(n)[:, np.newaxis]  # every score is a multiple of 128, the largest 4608
        want = reference.multi_head_from_torch(X, state, n_heads)
        expect(student.multi_head_from_torch(X, state, n_heads)).to_match(
            want,
            "output",
            "weights",
            because=Text("A row of large scores gives all its weight to the best key.", "分数很大的一行把全部权重给最匹配的键。"),
        )


@graded(0.5, "The arguments are left alone", "不修改参数", property_alone=True)
def test_the_arguments_are_left_alone(student, rng, sizes, random_mask):
    X, state = rng.normal(size=(sizes.batch, sizes.n, 6)), draw_state(rng, 6)
    for mask in (None, random_mask(sizes.n, sizes.n), random_mask(sizes.batch, sizes.n, sizes.n).astype(int)):
        expect(student.multi_head_from_torch(X, state, 2, mask)).to_leave_arguments_alone()
