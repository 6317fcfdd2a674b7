"""Grades exercise `softmax`."""

import numpy as np
import pytest

from autograder.grading import Text, expect, graded

EACH_SLICE = Text(
    "The weights along `axis` are exp(x) divided by the sum of exp(x) along that axis alone, so they add up to 1.",
    "沿 `axis` 方向的权重是 exp(x) 除以仅沿这个轴的 exp(x) 之和，因此加起来等于 1。",
)


@graded(1.5, "Each row adds up to 1, with the values of the definition", "每一行加起来等于 1，数值符合定义")
def test_the_last_axis_is_the_default(student, reference, rng, sizes):
    for shape in ((sizes.n_q, sizes.n_k), (sizes.n,), (sizes.batch, sizes.n_q, sizes.n_k)):
        x = rng.normal(scale=2.0, size=shape)
        for reply in (student.softmax(x), student.softmax(x, -1), student.softmax(x, axis=len(shape) - 1)):
            expect(reply).to_match(reference.softmax(x), because=EACH_SLICE)


@pytest.mark.parametrize("axis", [0, 1, -2])
@graded(0.5, "The axis that is asked for", "指定的轴")
def test_any_axis(student, reference, rng, sizes, axis):
    for shape in ((sizes.n_q, sizes.n_k), (3, 3, 3), (sizes.batch, sizes.n_q, sizes.n_k, sizes.n)):
        x = rng.normal(scale=2.0, size=shape)
        want = reference.softmax(x, axis=axis)
        expect(student.softmax(x, axis)).to_match(want, because=EACH_SLICE)
        expect(student.softmax(x=x, axis=axis)).to_match(want, because=EACH_SLICE)


@graded(1.0, "Large scores do not overflow", "很大的分数不会溢出")
def test_large_scores(student, reference, rng, sizes):
    def steps():
        return 64.0 * rng.permutation(sizes.n_k)

    stable = Text(
        "Shift each row by its own maximum before exp: the weights stay the same, and nothing overflows or divides by 0.",
        "取 exp 之前先减去每一行自己的最大值：权重不变，既不会溢出，也不会除以 0。",
    )
    low, near_zero, high = -8192.0 + steps(), rng.normal(size=sizes.n_k), 8192.0 + steps()
    for x in (np.stack([high]), np.stack([low, low - 640.0]), np.stack([near_zero, high, low, steps()])):
        expect(student.softmax(x)).to_match(reference.softmax(x), because=stable)


@graded(0.5, "Any finite score, along any axis", "任何有限的分数，任何轴")
def test_huge_scores(student):
    x = np.array([[2.0**120, -(2.0**120), 0.0], [-(2.0**120), -(2.0**119), -(2.0**121)]])
    want = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    largest = Text("With scores as far apart as these the largest takes all the weight.", "分数相差这么大时，最大的那个得到全部权重。")
    expect(student.softmax(x)).to_match(want, because=largest)
    expect(student.softmax(x.T, axis=0)).to_match(want.T, because=largest)


@graded(1.0, "Integers and float32 numbers are scores too", "整数和 float32 也是分数")
def test_other_kinds_of_numbers(student, reference, rng, sizes):
    integers = rng.integers(-3, 4, size=(sizes.n_q, sizes.n_k))
    fractions = Text("Integer scores give weights that are fractions.", "整数分数得到的权重是小数。")
    for x in (integers, integers + 4 * np.arange(sizes.n_q)[:, np.newaxis]):
        expect(student.softmax(x)).to_match(reference.softmax(x), because=fractions)
    single = rng.normal(size=(sizes.n_q, sizes.n_k)).astype(np.float32)
    expect(student.softmax(single)).to_match(reference.softmax(single), because=EACH_SLICE)


@graded(0.5, "The argument is left alone", "不修改参数", property_alone=True)
def test_the_argument_is_left_alone(student, rng, sizes):
    x = rng.normal(scale=2.0, size=(sizes.n_q, sizes.n_k))
    expect(student.softmax(x)).to_leave_arguments_alone()
    expect(student.softmax(x, axis=0)).to_leave_arguments_alone()
    expect(student.softmax(rng.integers(-9, 9, size=(sizes.n_q, sizes.n_k)))).to_leave_arguments_alone()
