"""What learners get wrong in exercise `softmax`."""

import numpy as np

from autograder.misconceptions.catalogue import wrong
from solutions.softmax import softmax as right_softmax


@wrong(
    "softmax",
    "Which numbers must add up to 1: all of them together, or those along `axis`?",
    "哪些数加起来应当等于 1：所有的数，还是沿 `axis` 的那些？",
)
def one_sum_for_the_whole_array(x, axis=-1):
    """Divides by the sum over the whole array."""
    x = np.asarray(x, dtype=float)
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum()


@wrong(
    "softmax",
    "What does your function do with `axis`? Try it with axis=0 and axis=1.",
    "你的函数用 `axis` 做了什么？分别用 axis=0 和 axis=1 试一试。",
)
def axis_ignored(x, axis=-1):
    """Always works along the last axis."""
    return right_softmax(x)


@wrong(
    "softmax",
    "Along which axis does your sum run when `axis` is -1, and is that a row or a column of a matrix?",
    "当 `axis` 为 -1 时，你的求和沿哪个轴进行？对矩阵来说是按行还是按列？",
)
def always_the_first_axis(x, axis=-1):
    """Always works along axis 0, down the columns."""
    return right_softmax(x, axis=0)


@wrong(
    "softmax",
    "Your rows are those of a matrix: which axis is the last one of a vector, and of an array with three axes?",
    "你是按矩阵来写“行”的：对一维向量、对三维数组，最后一个轴分别是第几个轴？",
)
def always_axis_one(x, axis=-1):
    """Always works along axis 1, which is right for the rows of a matrix only."""
    return right_softmax(x, axis=1)


@wrong(
    "softmax",
    "What is exp(1000) in floating point, what is exp(-1000), and what may be done to the scores without changing a weight?",
    "浮点数里 exp(1000) 是多少？exp(-1000) 呢？对分数做什么改动不会改变权重？",
)
def no_shift(x, axis=-1):
    """Takes exp of the scores as they are."""
    powers = np.exp(np.asarray(x, dtype=float))
    return powers / powers.sum(axis=axis, keepdims=True)


@wrong(
    "softmax",
    "An epsilon stops the division by 0, but what becomes of the weights where every exp(x) is 0 or infinite?",
    "加 epsilon 避免了除以 0，可当每个 exp(x) 都是 0 或无穷大时，权重会变成什么？",
)
def epsilon_for_a_shift(x, axis=-1):
    """No shift, but an epsilon in the denominator."""
    powers = np.exp(np.asarray(x, dtype=float))
    return powers / (powers.sum(axis=axis, keepdims=True) + 1e-9)


@wrong(
    "softmax",
    "Replacing NaN hides the overflow: do the weights of a row of large scores still add up to 1?",
    "替换 NaN 只是掩盖了溢出：一行很大的分数，它的权重加起来还等于 1 吗？",
)
def nan_made_zero(x, axis=-1):
    """No shift, and the NaN that come of it are made 0."""
    powers = np.exp(np.asarray(x, dtype=float))
    return np.nan_to_num(powers / powers.sum(axis=axis, keepdims=True))


@wrong(
    "softmax",
    "Two scores above your bound get the same weight: is there a way to avoid overflow that keeps their difference?",
    "超过上限的两个分数会得到相同的权重：有没有既不溢出、又保留分数之差的办法？",
)
def clipped_for_a_shift(x, axis=-1):
    """Clips the scores to ±500 in place of a shift."""
    powers = np.exp(np.clip(np.asarray(x, dtype=float), -500, 500))
    return powers / powers.sum(axis=axis, keepdims=True)


@wrong(
    "softmax",
    "One row near 0, another near 2000: what does one maximum for both do to the lower row?",
    "一行接近 0，另一行接近 2000：两行共用一个最大值时，较低的那一行会怎样？",
)
def one_maximum_for_all_rows(x, axis=-1):
    """Shifts by the maximum of the whole array."""
    x = np.asarray(x, dtype=float)
    powers = np.exp(x - x.max())
    return powers / powers.sum(axis=axis, keepdims=True)


@wrong(
    "softmax",
    "After your shift, what is the largest score of a row in which all scores are near -10000?",
    "如果一行的分数都在 -10000 附近，平移之后这一行最大的分数是多少？",
)
def maximum_never_below_zero(x, axis=-1):
    """Shifts by max(0, maximum) or by the largest absolute value, so that rows of low scores vanish."""
    x = np.asarray(x, dtype=float)
    powers = np.exp(x - np.maximum(x.max(axis=axis, keepdims=True), 0))
    return powers / powers.sum(axis=axis, keepdims=True)


@wrong(
    "softmax",
    "How large can a score still be after the mean is subtracted, and can its exp overflow?",
    "减去平均值之后，分数还可能有多大？它的 exp 会溢出吗？",
)
def shifted_by_the_mean(x, axis=-1):
    """Shifts by the mean."""
    x = np.asarray(x, dtype=float)
    powers = np.exp(x - x.mean(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


@wrong(
    "softmax",
    "After the minimum is subtracted, is the largest score safe for exp?",
    "减去最小值之后，最大的分数取 exp 就安全了吗？",
)
def shifted_by_the_minimum(x, axis=-1):
    """Shifts by the minimum."""
    x = np.asarray(x, dtype=float)
    powers = np.exp(x - x.min(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


@wrong(
    "softmax",
    "A shift changes no weight only if it is the same for all scores that share a sum: are your maximum and your sum along one axis?",
    "只有同一个求和里的分数平移量相同，权重才不变：你的最大值和求和沿的是同一个轴吗？",
)
def maximum_along_another_axis(x, axis=-1):
    """The maximum along the last axis, the sum along the axis that is asked for."""
    x = np.asarray(x, dtype=float)
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


@wrong(
    "softmax",
    "You use `axis` for the maximum; along which axis does your sum run?",
    "求最大值时你用了 `axis`；求和又是沿哪个轴？",
)
def sum_along_another_axis(x, axis=-1):
    """The maximum along the axis that is asked for, the sum along the last one."""
    x = np.asarray(x, dtype=float)
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@wrong(
    "softmax",
    "What is the shape of a maximum or a sum along `axis`, and does it line up with the array it is to be combined with?",
    "沿 `axis` 求出的最大值或和是什么形状？它能与原数组对齐运算吗？",
)
def summed_axis_dropped(x, axis=-1):
    """No keepdims: an axis that is summed away does not line up any more."""
    x = np.asarray(x, dtype=float)
    powers = np.exp(x - x.max(axis=axis))
    return powers / powers.sum(axis=axis)


@wrong(
    "softmax",
    "What happens to a weight of 0.25 that is written into an array of integers?",
    "把 0.25 这样的权重写进整数数组，会变成什么？",
)
def integer_buffer(x, axis=-1):
    """Writes the weights into an array of the argument's dtype."""
    weights = np.zeros_like(x)
    weights[...] = right_softmax(x, axis=axis)
    return weights


@wrong(
    "softmax",
    "Weights are shares of a whole: what do yours add up to?",
    "权重是各自占整体的份额：你的权重加起来是多少？",
)
def never_divided(x, axis=-1):
    """Takes exp of the shifted scores and stops there."""
    x = np.asarray(x, dtype=float)
    return np.exp(x - x.max(axis=axis, keepdims=True))


@wrong(
    "softmax",
    "Which function makes a positive number of every score, a negative one too?",
    "哪个函数能把每个分数（包括负的）都变成正数？",
)
def no_exp(x, axis=-1):
    """Divides the scores themselves by their sum."""
    x = np.asarray(x, dtype=float)
    return x / x.sum(axis=axis, keepdims=True)


@wrong(
    "softmax",
    "Which score should get the largest weight: the highest or the lowest? Look at the sign in your exp.",
    "哪个分数应当得到最大的权重：最高的还是最低的？看看 exp 里的正负号。",
)
def sign_turned(x, axis=-1):
    """exp(-x) for exp(x): the lowest score gets the largest weight."""
    return right_softmax(-np.asarray(x, dtype=float), axis=axis)


@wrong(
    "softmax",
    "Can a weight be negative? Check whether what you return is the weight or its logarithm.",
    "权重会是负数吗？检查一下你返回的是权重，还是它的对数。",
)
def log_softmax(x, axis=-1):
    """Returns the logarithm of the weights."""
    x = np.asarray(x, dtype=float)
    shifted = x - x.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


@wrong(
    "softmax",
    "How often does your code take exp and divide? Weights that went through it once more come out too even.",
    "你的代码做了几次取 exp 再相除？多做一次，权重就会过于平均。",
)
def softmax_twice(x, axis=-1):
    """A softmax of the softmax."""
    return right_softmax(right_softmax(x, axis=axis), axis=axis)


@wrong(
    "softmax",
    "Print the argument before and after the call: whose array does your subtraction write into?",
    "在调用前后各打印一次参数：你的减法写进了谁的数组？",
    diagnosed=False,
)
def shifted_in_place(x, axis=-1):
    """Shifts the caller's array."""
    x -= x.max(axis=axis, keepdims=True)
    return right_softmax(x, axis=axis)
