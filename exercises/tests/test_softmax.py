"""Visible tests of softmax: run them with pytest while you write."""

import numpy as np

from .expect import Text, expect
from .titles import chinese

HINTS = {
    "softmax": Text(
        "Write out one row by hand, say 2, 1, 0: which three numbers do you divide by which sum? And what would you subtract first, were "
        "they 2002, 2001, 2000?",
        "手算一行，例如 2, 1, 0：哪三个数除以哪个和？如果是 2002, 2001, 2000，你会先减去什么？",
    ),
}


@chinese("每一行加起来等于 1")
def test_each_row_adds_up_to_one(student):
    """Along the last axis: exp(ln 2) = 2 of 1 + 2 + 1 is one half."""
    x = np.log([[1.0, 2.0, 1.0], [1.0, 1.0, 6.0]])
    expect(student.softmax(x)).to_match(
        [[0.25, 0.5, 0.25], [0.125, 0.125, 0.75]],
        because=Text(
            "Each row is exp(x) divided by that row's own sum of exp(x).",
            "每一行都是 exp(x) 除以这一行自己的 exp(x) 之和。",
        ),
    )


@chinese("axis=0 时每一列加起来等于 1")
def test_axis_0_makes_each_column_add_up_to_one(student):
    """The axis that is asked for counts, not always the last one."""
    x = np.log([[1.0, 2.0, 1.0], [3.0, 2.0, 1.0]])
    expect(student.softmax(x, axis=0)).to_match(
        [[0.25, 0.5, 0.5], [0.75, 0.5, 0.5]],
        because=Text("With axis=0 each column adds up to 1.", "axis=0 时每一列加起来等于 1。"),
    )


@chinese("中间的轴")
def test_an_axis_in_the_middle(student):
    """Two matrices at once; axis 1 is the columns of each."""
    x = np.log([[[1.0, 2.0, 1.0], [3.0, 2.0, 1.0]], [[1.0, 1.0, 1.0], [1.0, 4.0, 9.0]]])
    expect(student.softmax(x, axis=1)).to_match(
        [[[0.25, 0.5, 0.5], [0.75, 0.5, 0.5]], [[0.5, 0.2, 0.1], [0.5, 0.8, 0.9]]],
        because=Text("Only the numbers along `axis` share a sum.", "只有沿 `axis` 方向的数共用一个和。"),
    )


@chinese("很大的分数不会溢出")
def test_large_scores_do_not_overflow(student):
    """exp(1000) is infinite; the softmax of 1000 and 900 is not. Each row has its own level."""
    x = np.array([[1000.0, 900.0], [-1000.0, -900.0], [0.0, 3000.0], [1.0, 1.0]])
    expect(student.softmax(x)).to_match(
        [[1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [0.5, 0.5]],
        because=Text(
            "The same number added to all scores of a row changes nothing, so each row can be brought near 0 first.",
            "给一行的所有分数加上同一个数，结果不变；因此可以先把每一行移到 0 附近。",
        ),
    )


@chinese("整数也是分数")
def test_integers_are_scores_too(student):
    """The weights of integer scores are fractions."""
    expect(student.softmax(np.array([3, 3, 3, 3]))).to_match(
        [0.25, 0.25, 0.25, 0.25],
        because=Text("Integer scores give weights that are fractions.", "整数分数得到的权重是小数。"),
    )


@chinese("不改动参数")
def test_the_argument_is_left_alone(student):
    """The caller still needs the scores."""
    expect(student.softmax(np.array([[1.0, 2.0], [3.0, 5.0]]))).to_leave_arguments_alone()
