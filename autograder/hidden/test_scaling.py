"""Grades exercise `scaling`."""

from weakref import WeakKeyDictionary

import numpy as np

from autograder.grading import Text, expect, graded

RAW = Text(
    "`raw` is the standard deviation of q·k over pairs of N(0, 1) vectors of width d_k: near √d_k, within 5 %.",
    "`raw` 是宽度为 d_k 的 N(0, 1) 向量对上 q·k 的标准差：接近 √d_k，误差在 5 % 以内。",
)
SCALED = Text(
    "`scaled` is the standard deviation of q·k / √d_k: near 1 whatever d_k is, within 5 %.",
    "`scaled` 是 q·k / √d_k 的标准差：无论 d_k 是多少都接近 1，误差在 5 % 以内。",
)
SCATTER = Text(
    "Over few pairs the result scatters around its value from seed to seed, as the standard deviation of products of two N(0, 1) "
    "numbers does. Sums of one vector's numbers, or a variance, scatter otherwise.",
    "向量对较少时，结果随种子围绕其值波动，波动的大小由两个 N(0, 1) 数之积的标准差决定；只用一个向量求和，或者用方差，波动就不同。",
)
JACOBIAN = Text(
    "Entry (i, j) is the derivative of weight i by score j: diag(w) − w wᵀ for each row w.",
    "第 (i, j) 项是权重 i 对分数 j 的导数：对每一行 w 计算 diag(w) − w wᵀ。",
)
# So many pairs that chance alone is hardly ever 5 % away: 5 standard errors, √((1 + 3 / d_k) / 2n) each.
WIDTHS_AND_PAIRS = ((2, 14_000), (4, 9_000))
FEW_PAIRS, N_SEEDS = 100, 120


def two_numbers(reply):
    """The two numbers of one call, each with its reply."""
    raw, scaled = expect(reply).parts("raw", "scaled")
    return (raw, float(expect(raw).to_be_numbers(()))), (scaled, float(expect(scaled).to_be_numbers(())))


def spreads(student, d_k, n_pairs, seeds):
    """The two numbers for each seed."""
    return [two_numbers(reply) for reply in student.dot_product_std.each([(d_k, n_pairs, int(seed)) for seed in seeds])]


measured = WeakKeyDictionary()  # student -> what both tests of the numbers look at, drawn once for both


def measure(student, rng):
    """The widths with the two numbers of many pairs, and the two numbers of few pairs of width 1 for many seeds."""
    if student not in measured:
        wide = [(9, two_numbers(student.dot_product_std(9)))]
        for number, (d_k, n_pairs) in enumerate(WIDTHS_AND_PAIRS):
            seed = int(rng.integers(10_000))
            named = {"seed": seed, "n_pairs": n_pairs, "d_k": d_k}
            reply = student.dot_product_std(**named) if number % 2 else student.dot_product_std(d_k, n_pairs, seed)
            wide.append((d_k, two_numbers(reply)))
        measured[student] = wide, spreads(student, 1, FEW_PAIRS, rng.permutation(10_000)[:N_SEEDS])
    return measured[student]


def expect_scatter(narrow, number):
    """The raw (0) or the scaled (1) number of width 1 scatters as it must, whatever the ddof.

    Over n pairs its relative error has variance (kurtosis - 1) / 4n, with kurtosis 9 for a product of two normal numbers: n times
    the variance is 2. Sums of normal numbers give 0.5, the square of the right result 8; chance is 5 standard errors off.
    """
    scatter = FEW_PAIRS * np.mean([(both[number][1] - 1) ** 2 for both in narrow])
    expect(narrow[0][number][0]).to_hold(0.9 < scatter < 4.0, SCATTER)


def softmax_rows(rng, *shape):
    """Random weights: positive, each row adds up to 1."""
    weights = np.exp(rng.normal(size=shape))
    return weights / weights.sum(axis=-1, keepdims=True)


@graded(1.0, "The spread of dot products grows like √d_k", "点积的离散程度按 √d_k 增长")
def test_raw(student, rng):
    wide, narrow = measure(student, rng)
    for d_k, ((reply, raw), _) in wide:
        expect(reply).to_hold(abs(raw / np.sqrt(d_k) - 1) < 0.05, RAW)
    expect_scatter(narrow, 0)


@graded(1.0, "After the scaling it is 1 for every d_k", "缩放之后对任何 d_k 都是 1")
def test_scaled(student, rng):
    wide, narrow = measure(student, rng)
    for _, (_, (reply, scaled)) in wide:
        expect(reply).to_hold(abs(scaled - 1) < 0.05, SCALED)
    expect_scatter(narrow, 1)


@graded(0.5, "The seed decides what is drawn", "种子决定抽取的结果", property_alone=True)
def test_the_seed(student, rng):
    seeds = [int(seed) for seed in rng.permutation(1000)[:4]]
    first, second = spreads(student, 8, 300, seeds), spreads(student, 8, 300, seeds)
    for number in (0, 1):
        drawn, again = [both[number] for both in first], [both[number] for both in second]
        reply = drawn[0][0]
        expect(reply).to_hold(
            [value for _, value in drawn] == [value for _, value in again],
            Text("The same seed must give the same result.", "同一个种子必须得到同样的结果。"),
        )
        expect(reply).to_hold(
            len({value for _, value in drawn}) > 1,
            Text("Another seed must draw other pairs, so the result is another.", "换一个种子就要抽取另一批向量对，结果也就不同。"),
        )


@graded(0.5, "As many pairs as are asked for", "抽取所要求数量的向量对", property_alone=True)
def test_the_number_of_pairs(student, rng):
    few = spreads(student, 6, 4, rng.permutation(1000)[:12])
    for number, near in ((0, np.sqrt(6)), (1, 1.0)):
        expect(few[0][number][0]).to_hold(
            max(abs(both[number][1] / near - 1) for both in few) > 0.1,
            Text(
                "With n_pairs pairs, and only 4 of them here, the result must scatter from seed to seed.",
                "向量对的数量是 n_pairs；这里只有 4 对，结果应当随种子明显波动。",
            ),
        )
    two = spreads(student, 6, 2, rng.permutation(1000)[:12])
    for number in (0, 1):
        expect(two[0][number][0]).to_hold(
            len({both[number][1] for both in two}) > 9,
            Text(
                "A dot product can be any number, so no two seeds give the same result; nothing is rounded.",
                "点积可以是任何实数，因此不同的种子给出不同的结果；不要取整。",
            ),
        )


@graded(1.0, "The Jacobian of one softmax", "单个 softmax 的雅可比矩阵")
def test_one_row(student, reference, rng, sizes):
    for n in (sizes.n, 2, 5, 1):
        weights = softmax_rows(rng, n)
        expect(student.softmax_jacobian(weights)).to_match(reference.softmax_jacobian(weights), because=JACOBIAN)
    certain = np.eye(4)[2]
    for weights in (certain, np.array([0.5, 0.0, 0.5]), np.full(sizes.n, 1 / sizes.n)):
        expect(student.softmax_jacobian(weights=weights)).to_match(reference.softmax_jacobian(weights), because=JACOBIAN)


@graded(1.0, "A Jacobian for every row, with any leading axes", "每一行各有雅可比矩阵，可带任意前导轴")
def test_leading_axes(student, reference, rng, sizes):
    for shape in ((sizes.batch, sizes.n), (sizes.batch, sizes.n_q, sizes.n), (2, 1, 3, 4), (1, 5), (sizes.batch, 1)):
        weights = softmax_rows(rng, *shape)
        expect(student.softmax_jacobian(weights)).to_match(reference.softmax_jacobian(weights), because=JACOBIAN)


@graded(0.5, "Axes of equal length are not mixed up", "长度相等的轴不会混淆")
def test_equal_lengths(student, reference, rng):
    for shape in ((3, 3), (3, 3, 3)):
        for dtype in (np.float64, np.float32):
            weights = softmax_rows(rng, *shape).astype(dtype)
            expect(student.softmax_jacobian(weights)).to_match(reference.softmax_jacobian(weights), because=JACOBIAN)


@graded(0.5, "The argument is left alone", "不修改参数", property_alone=True)
def test_the_argument_is_left_alone(student, rng, sizes):
    for shape in ((sizes.n,), (sizes.batch, sizes.n)):
        expect(student.softmax_jacobian(softmax_rows(rng, *shape))).to_leave_arguments_alone()
