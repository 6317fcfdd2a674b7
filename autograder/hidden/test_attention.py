"""Grades exercise `attention`."""

import numpy as np

from autograder.grading import Text, expect, graded

FORMULA = Text(
    "weights = softmax(Q Kᵀ / √d_k) over the keys, output = weights times V.",
    "weights 是 Q Kᵀ / √d_k 沿键方向的 softmax，output 是 weights 乘 V。",
)
LEADING_AXES = Text(
    "Only the last two axes of K change places; every sentence (and head) is an attention of its own.",
    "K 只有最后两个轴互换；每个句子（和每个头）各自做注意力。",
)


def draw(rng, leading, n_q, n_k, d_k, d_v):
    """Q, K and V of these sizes."""
    return (rng.normal(size=(*leading, n, d)) for n, d in ((n_q, d_k), (n_k, d_k), (n_k, d_v)))


@graded(2.0, "Output and weights of a batch", "一个批次的输出和权重")
def test_a_batch(student, reference, qkv):
    want = reference.scaled_dot_product_attention(*qkv)
    expect(student.scaled_dot_product_attention(*qkv)).to_match(want, "output", "weights", because=FORMULA)


@graded(1.5, "The scores are divided by √d_k", "分数除以 √d_k")
def test_the_scale(student, reference, rng, sizes):
    for d_k in (2, 3, 9, 16):
        Q, K, V = draw(rng, (), sizes.n_q, sizes.n_k, d_k, d_v=5)
        want = reference.scaled_dot_product_attention(Q, K, V)
        expect(student.scaled_dot_product_attention(Q, K, V)).to_match(
            want,
            "output",
            "weights",
            because=Text(
                "The scores are divided once, before the softmax, by the root of the width of the keys, whatever it is.",
                "分数只除一次，在 softmax 之前，除以键的维数的平方根，不论维数是多少。",
            ),
        )


@graded(1.0, "One sentence, without a batch axis", "单个句子，没有批次轴")
def test_no_batch_axis(student, reference, rng, sizes):
    Q, K, V = draw(rng, (), sizes.n_q, sizes.n_k, sizes.d_k, sizes.d_v)
    want = reference.scaled_dot_product_attention(Q, K, V)
    expect(student.scaled_dot_product_attention(V=V, K=K, Q=Q)).to_match(want, "output", "weights", because=FORMULA)


@graded(1.0, "Several leading axes", "多个前导轴")
def test_several_leading_axes(student, reference, rng, sizes):
    for leading in ((2, 3), (3, 2), (2, 1, 2)):
        Q, K, V = draw(rng, leading, sizes.n_q, sizes.n_k, sizes.d_k, sizes.d_v)
        want = reference.scaled_dot_product_attention(Q, K, V)
        expect(student.scaled_dot_product_attention(Q, K, V)).to_match(want, "output", "weights", because=LEADING_AXES)


@graded(1.0, "Axes of equal length are not mixed up", "长度相等的轴不会混淆")
def test_equal_lengths(student, reference, rng):
    for leading in ((), (3,), (3, 3)):
        Q, K, V = draw(rng, leading, n_q=3, n_k=3, d_k=3, d_v=3)
        want = reference.scaled_dot_product_attention(Q, K, V)
        expect(student.scaled_dot_product_attention(Q, K, V)).to_match(want, "output", "weights", because=LEADING_AXES)


@graded(1.0, "Large scores do not overflow", "很大的分数不会溢出")
def test_large_scores(student, reference, rng, sizes, with_scores):
    steps = 64.0 * rng.permutation(sizes.n_k)
    Q, K = with_scores([8192.0 + steps, -8192.0 - steps, rng.normal(size=sizes.n_k)])
    V = rng.normal(size=(sizes.n_k, sizes.d_v))
    want = reference.scaled_dot_product_attention(Q, K, V)
    expect(student.scaled_dot_product_attention(Q, K, V)).to_match(
        want,
        "output",
        "weights",
        because=Text("A row of large scores gives all its weight to the best key.", "分数很大的一行把全部权重给最匹配的键。"),
    )


@graded(0.5, "Axes of length 1", "长度为 1 的轴")
def test_axes_of_length_one(student, reference, rng, sizes):
    for leading, n_q, n_k, d_k, d_v in (((1,), 1, 4, 3, 2), ((), 3, 1, 2, 4), ((2,), 4, 3, 1, 1), ((1, 1), 1, 1, 1, 1)):
        Q, K, V = draw(rng, leading, n_q, n_k, d_k, d_v)
        want = reference.scaled_dot_product_attention(Q, K, V)
        expect(student.scaled_dot_product_attention(Q, K, V)).to_match(want, "output", "weights", because=FORMULA)


@graded(0.5, "float32 arrays", "float32 数组")
def test_float32(student, reference, qkv):
    Q, K, V = (array.astype(np.float32) for array in qkv)
    want = reference.scaled_dot_product_attention(Q, K, V)
    expect(student.scaled_dot_product_attention(Q, K, V)).to_match(want, "output", "weights", because=FORMULA)


@graded(0.5, "Queries and keys of different width are refused", "拒绝维数不同的查询和键", property_alone=True)
def test_different_d_k(student, rng, sizes):
    for of_queries, of_keys in ((sizes.d_k, sizes.d_k + 1), (sizes.d_k + 1, sizes.d_k), (sizes.d_k, 1), (1, sizes.d_k)):
        _, K, V = draw(rng, (), 1, sizes.n_k, of_keys, sizes.d_v)
        Q = rng.normal(size=(sizes.n_q, of_queries))
        expect(student.scaled_dot_product_attention(Q, K, V)).to_raise(
            ValueError, when=Text("Q and K have different d_k", "Q 和 K 的 d_k 不同")
        )


@graded(0.5, "Keys and values of different number are refused", "拒绝个数不同的键和值", property_alone=True)
def test_different_n_k(student, rng, sizes):
    for of_keys, of_values in ((sizes.n_k, sizes.n_k + 1), (sizes.n_k + 1, sizes.n_k), (sizes.n_k, 1), (1, sizes.n_k)):
        Q, K, _ = draw(rng, (), sizes.n_q, of_keys, sizes.d_k, 1)
        V = rng.normal(size=(of_values, sizes.d_v))
        expect(student.scaled_dot_product_attention(Q, K, V)).to_raise(
            ValueError, when=Text("K and V have different n_k", "K 和 V 的 n_k 不同")
        )


@graded(0.5, "The arguments are left alone", "不修改参数", property_alone=True)
def test_the_arguments_are_left_alone(student, qkv):
    expect(student.scaled_dot_product_attention(*qkv)).to_leave_arguments_alone()
