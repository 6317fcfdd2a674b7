"""Grades exercise `multi_head`."""

import numpy as np
import pytest

from autograder.grading import Text, expect, graded

SLICES = Text(
    "Head h holds the features h*d_head to (h+1)*d_head - 1 of every token: cut the features, then let heads and tokens change places.",
    "第 h 个头拿到每个词元的第 h*d_head 到 (h+1)*d_head - 1 个特征：先切分特征，再互换头与词元的轴。",
)
SIDE_BY_SIDE = Text(
    "The features of one token come back side by side, head 0 first: the inverse of the split.",
    "同一个词元的特征重新排在一起，头 0 在最前：这是切分的逆操作。",
)
COLUMNS = Text(
    "The columns of head h follow those of head h - 1; rows stay rows.", "第 h 个头的列紧跟在第 h - 1 个头的列之后；行仍然是行。"
)
HEADS = Text(
    "Each head attends with its own slice of X W_Q, X W_K and X W_V, scaled by √d_head; concatenate, then times W_O once.",
    "每个头用 X W_Q、X W_K、X W_V 中自己的切片做注意力，按 √d_head 缩放；先拼接，再乘一次 W_O。",
)
ONE_MASK = Text(
    "The mask has no axis for the heads: it holds for all heads of its sentence (True or 1 = may attend).",
    "掩码没有头的轴：它对这个句子的所有头都有效（True 或 1 表示允许）。",
)
DIVIDES = Text("d_model is not divisible by n_heads", "d_model 不能被 n_heads 整除")


@pytest.fixture
def layer(projection):
    """The four matrices of a layer, by their names."""
    return lambda d_model: {name: projection(d_model, d_model) for name in ("W_Q", "W_K", "W_V", "W_O")}


@graded(1.0, "split_heads of a batch", "一个批次的 split_heads")
def test_split(student, reference, rng, sizes):
    for n_heads, d_head in ((3, sizes.d_k), (sizes.d_v, 2), (1, 4), (5, 1)):
        X = rng.normal(size=(sizes.batch, sizes.n, n_heads * d_head))
        expect(student.split_heads(X, n_heads)).to_match(reference.split_heads(X, n_heads), because=SLICES)


@graded(0.5, "split_heads with none or several leading axes", "没有或有多个前导轴的 split_heads")
def test_split_leading_axes(student, reference, rng, sizes):
    for leading in ((), (2, 3), (1,)):
        X = rng.normal(size=(*leading, sizes.n, 3 * sizes.d_k))
        expect(student.split_heads(X=X, n_heads=3)).to_match(reference.split_heads(X, 3), because=SLICES)


@graded(0.5, "split_heads with axes of equal length", "split_heads：长度相等的轴")
def test_split_equal_lengths(student, reference, rng):
    for leading in ((), (3,), (3, 3)):
        X = rng.normal(size=(*leading, 3, 9))
        expect(student.split_heads(X, 3)).to_match(reference.split_heads(X, 3), because=SLICES)


@graded(0.5, "Heads that do not divide d_model are refused", "拒绝不能整除 d_model 的头数", property_alone=True)
def test_indivisible(student, rng, sizes, layer):
    for d_model, n_heads in ((6, 4), (7, 2), (3, 6)):
        X = rng.normal(size=(sizes.batch, 4, d_model))
        expect(student.split_heads(X, n_heads)).to_raise(ValueError, when=DIVIDES)
        expect(student.multi_head_attention(X, n_heads, **layer(d_model))).to_raise(ValueError, when=DIVIDES)


@graded(1.0, "concat_heads of a batch", "一个批次的 concat_heads")
def test_concat(student, reference, rng, sizes):
    for n_heads, d_head in ((3, sizes.d_k), (sizes.d_v, 2), (1, 4), (5, 1)):
        H = rng.normal(size=(sizes.batch, n_heads, sizes.n, d_head))
        expect(student.concat_heads(H)).to_match(reference.concat_heads(H), because=SIDE_BY_SIDE)


@graded(0.5, "concat_heads with none or several leading axes", "没有或有多个前导轴的 concat_heads")
def test_concat_leading_axes(student, reference, rng, sizes):
    for leading in ((), (2, 3), (1,)):
        H = rng.normal(size=(*leading, 3, sizes.n, sizes.d_k))
        expect(student.concat_heads(H=H)).to_match(reference.concat_heads(H), because=SIDE_BY_SIDE)


@graded(0.5, "concat_heads with axes of equal length", "concat_heads：长度相等的轴")
def test_concat_equal_lengths(student, reference, rng):
    for leading in ((), (3,), (3, 3)):
        H = rng.normal(size=(*leading, 3, 3, 3))
        expect(student.concat_heads(H)).to_match(reference.concat_heads(H), because=SIDE_BY_SIDE)


@graded(1.0, "fuse_heads of a list", "fuse_heads：列表")
def test_fuse(student, reference, rng, sizes):
    for n_heads, d_model, d_head in ((3, sizes.n, sizes.d_k), (3, 3, 3), (1, 4, 2), (sizes.batch, 6, 1), (2, 1, 3)):
        per_head = [rng.normal(size=(d_model, d_head)) for _ in range(n_heads)]
        expect(student.fuse_heads(per_head)).to_match(reference.fuse_heads(per_head), because=COLUMNS)


@graded(0.5, "fuse_heads of an array", "fuse_heads：数组")
def test_fuse_takes_an_array(student, reference, rng, sizes):
    per_head = rng.normal(size=(sizes.batch, sizes.n, sizes.d_k))
    expect(student.fuse_heads(per_head=per_head)).to_match(reference.fuse_heads(per_head), because=COLUMNS)


@graded(2.5, "Output and weights of a batch", "一个批次的输出和权重")
def test_values(student, reference, rng, sizes, layer):
    for batch, n in ((sizes.batch, sizes.n), (1, 1)):
        X, matrices = rng.normal(size=(batch, n, 12)), layer(12)
        want = reference.multi_head_attention(X, 3, **matrices)
        expect(student.multi_head_attention(X, 3, *matrices.values())).to_match(want, "output", "weights", because=HEADS)


@graded(1.5, "Any number of heads", "任意的头数")
def test_number_of_heads(student, reference, rng, sizes, layer):
    X, matrices = rng.normal(size=(sizes.batch, sizes.n, 10)), layer(10)
    for n_heads in (1, 2, 5, 10):
        want = reference.multi_head_attention(X, n_heads, **matrices)
        expect(student.multi_head_attention(X, n_heads, **matrices)).to_match(want, "output", "weights", because=HEADS)


@graded(1.0, "One sentence, without a batch axis", "单个句子，没有批次轴")
def test_no_batch_axis(student, reference, rng, sizes, layer):
    X, matrices = rng.normal(size=(sizes.n, 6)), layer(6)
    want = reference.multi_head_attention(X, 3, **matrices)
    expect(student.multi_head_attention(mask=None, **matrices, n_heads=3, X=X)).to_match(want, "output", "weights", because=HEADS)


@graded(1.0, "Several leading axes", "多个前导轴")
def test_several_leading_axes(student, reference, rng, sizes, layer, random_mask):
    matrices, n = layer(6), sizes.n
    X = rng.normal(size=(2, 4, n, 6))
    want = reference.multi_head_attention(X, 3, **matrices)
    expect(student.multi_head_attention(X, 3, **matrices)).to_match(want, "output", "weights", because=HEADS)
    for mask in (random_mask(n, n), random_mask(4, 1, n), random_mask(2, 1, n, n), random_mask(2, 4, 1, n)):
        want = reference.multi_head_attention(X, 3, **matrices, mask=mask)
        expect(student.multi_head_attention(X, 3, **matrices, mask=mask)).to_match(want, "output", "weights", because=ONE_MASK)


@graded(0.5, "Axes of equal length are not mixed up", "长度相等的轴不会混淆")
def test_equal_lengths(student, reference, rng, layer):
    matrices = layer(9)
    for leading in ((), (3,), (3, 3)):
        X = rng.normal(size=(*leading, 3, 9))
        want = reference.multi_head_attention(X, 3, **matrices)
        expect(student.multi_head_attention(X, 3, **matrices)).to_match(want, "output", "weights", because=HEADS)


@graded(1.0, "A causal mask for all heads", "对所有头有效的因果掩码")
def test_causal_mask(student, reference, rng, sizes, layer):
    matrices = layer(6)
    for leading, n in (((), sizes.n), ((sizes.batch,), sizes.n), ((3,), 3), ((), 3)):
        X, mask = rng.normal(size=(*leading, n, 6)), reference.causal_mask(n)
        want = reference.multi_head_attention(X, 3, **matrices, mask=mask)
        expect(student.multi_head_attention(X, 3, *matrices.values(), mask)).to_match(want, "output", "weights", because=ONE_MASK)


@graded(1.5, "The mask of a batch does not land on the heads", "批次的掩码不会落到头上")
def test_mask_of_a_batch(student, reference, rng, sizes, layer, random_mask):
    matrices = layer(6)
    for batch, n in ((3, sizes.n), (3, 3), (sizes.batch, sizes.n)):
        X = rng.normal(size=(batch, n, 6))
        lengths = np.arange(batch) % n + 1
        for mask in (reference.padding_mask(lengths, n), random_mask(batch, n, n), random_mask(1, n)):
            want = reference.multi_head_attention(X, 3, **matrices, mask=mask)
            expect(student.multi_head_attention(X, 3, **matrices, mask=mask)).to_match(want, "output", "weights", because=ONE_MASK)


@graded(0.5, "Integer masks", "整数掩码")
def test_integer_mask(student, reference, rng, sizes, layer, random_mask):
    X, matrices = rng.normal(size=(sizes.batch, sizes.n, 6)), layer(6)
    for mask in (random_mask(sizes.n, sizes.n), random_mask(1, sizes.n)):
        want = reference.multi_head_attention(X, 2, **matrices, mask=mask)
        for dtype in (np.int64, np.uint8):
            got = student.multi_head_attention(X, 2, **matrices, mask=mask.astype(dtype))
            expect(got).to_match(want, "output", "weights", because=ONE_MASK)


@graded(1.0, "A token that sees nothing", "什么都看不到的词元")
def test_blocked_token(student, reference, rng, sizes, layer, random_mask):
    X, matrices = rng.normal(size=(sizes.batch, sizes.n, 6)), layer(6)
    first = random_mask(sizes.n, sizes.n)
    first[0] = False
    for mask in (first, np.zeros((sizes.n, sizes.n), dtype=bool)):
        want = reference.multi_head_attention(X, 3, **matrices, mask=mask)
        expect(student.multi_head_attention(X, 3, **matrices, mask=mask)).to_match(
            want,
            "output",
            "weights",
            because=Text(
                "A token that may attend to nothing has weights 0 and output 0 in every head.",
                "什么都看不到的词元，在每个头里权重为 0，输出也为 0。",
            ),
        )


@graded(0.5, "Large scores do not overflow", "很大的分数不会溢出")
def test_large_scores(student, reference, rng, layer, with_scores):
    scores = 64.0 * rng.permuted(np.tile([-128, -127, 0, 1, 127, 128], (2, 6, 1)), axis=-1)
    Q, K = (reference.concat_heads(each) for each in with_scores(scores))
    X, matrices = np.eye(6, 32), layer(32)
    matrices["W_Q"][:6], matrices["W_K"][:6] = Q, K
    want = reference.multi_head_attention(X, 2, **matrices)
    expect(student.multi_head_attention(X, 2, **matrices)).to_match(want, "output", "weights")


@graded(0.5, "A mask that does not fit is refused", "拒绝形状不符的掩码", property_alone=True)
def test_mask_that_does_not_fit(student, rng, sizes, layer):
    X, matrices = rng.normal(size=(sizes.batch, sizes.n, 6)), layer(6)
    for shape in ((sizes.n, sizes.n + 1), (sizes.batch + 1, 1, sizes.n)):
        expect(student.multi_head_attention(X, 2, **matrices, mask=np.ones(shape, dtype=bool))).to_raise(
            ValueError, when=Text("the mask does not broadcast to (..., n, n)", "掩码不能广播到 (..., n, n)")
        )


@graded(0.5, "The arguments are left alone", "不修改参数", property_alone=True)
def test_arguments_are_left_alone(student, rng, sizes, layer, random_mask):
    X, mask = rng.normal(size=(sizes.batch, sizes.n, 6)), random_mask(sizes.n, sizes.n)
    mask[0] = False
    expect(student.multi_head_attention(X, 3, **layer(6), mask=mask)).to_leave_arguments_alone()
    expect(student.split_heads(X, 3)).to_leave_arguments_alone()
    expect(student.concat_heads(rng.normal(size=(sizes.batch, 3, sizes.n, 2)))).to_leave_arguments_alone()
    expect(student.fuse_heads(rng.normal(size=(3, 6, 2)))).to_leave_arguments_alone()
