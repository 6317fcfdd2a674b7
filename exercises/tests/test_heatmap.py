"""Visible tests of the heatmap: run them with pytest while you write. How wide a cell is and where its shade stands is yours to choose."""

import numpy as np

from .expect import Text, Wrong, expect
from .heatmap_text import problem_of
from .language import say
from .titles import chinese

HINTS = {
    "display_width": Text(
        "How many columns of a terminal does a Chinese character take, how many an a, how many a combining accent?",
        "在终端里“深”和 a 各占几列？组合重音符占几列？",
    ),
    "ascii_heatmap": Text(
        "With five shades, which level has a weight of half the largest one? And how many blanks must stand before a token so that its "
        "cell is as wide as the others?",
        "有五个灰度字符时，等于最大值一半的权重是第几级？一个词元前面要补几个空格，它的单元格才与其他的一样宽？",
    ),
}


MOST_LINES, LONGEST_LINE = 12, 100  # of a drawing that a message shows


def expect_drawing(reply, *facts, **more):
    """The reply is a drawing of these weights and tokens; where it is not, the message shows it."""
    drawing = expect(reply).to_be_text()
    problem = problem_of(drawing, *facts, **more)
    if problem is not None:
        raise Wrong(reply.called, say("The result is", "结果是") + "\n" + framed(drawing), str(problem), reply)


def framed(drawing):
    """A drawing as it looks in a terminal, with a bar on its left, so that its blanks can be seen, and each line by its number."""
    lines = ["".join(char if char.isprintable() else "�" for char in line)[:LONGEST_LINE] for line in drawing.split("\n")]
    more = [say(f"… and {len(lines) - MOST_LINES} more lines", f"……还有 {len(lines) - MOST_LINES} 行")] if len(lines) > MOST_LINES else []
    return "\n".join([f"{number:>3} │{line}" for number, line in enumerate(lines[:MOST_LINES])] + more)


@chinese("权重越大，颜色越深")
def test_the_darker_the_larger_the_weight(student):
    """Five shades, so the steps are at a quarter, a half, three quarters and all of the largest weight, 0.8."""
    weights = np.array([[0.8, 0.15, 0.05], [0.3, 0.5, 0.1], [0.05, 0.7, 0.25]])
    expect_drawing(student.ascii_heatmap(weights, ["the", "cat", "sat"]), weights, ["the", "cat", "sat"])


@chinese("键可以是另一个句子的词元")
def test_the_keys_may_be_other_tokens_than_the_queries(student):
    """Two queries over four keys; ten shades, the digits."""
    weights = np.array([[0.05, 0.15, 0.25, 0.55], [0.5, 0.3, 0.2, 0.0]])
    tokens, keys = ["deep", "learning"], ["I", "like", "deep", "learning"]
    expect_drawing(student.ascii_heatmap(weights, tokens, key_tokens=keys, shades="0123456789"), weights, tokens, keys, shades="0123456789")


@chinese("每个汉字占两列")
def test_chinese_tokens_take_two_columns_each(student):
    """The columns line up in the terminal, where 深度 is as wide as four letters."""
    weights = np.array([[0.7, 0.1, 0.1, 0.06, 0.04], [0.1, 0.6, 0.05, 0.05, 0.2]])
    tokens, keys = ["I", "喜欢"], ["我", "喜欢", "Transformer", "深度", "学习"]
    expect_drawing(student.ascii_heatmap(weights, tokens, keys, ".oO@"), weights, tokens, keys, ".oO@")


@chinese("全零矩阵是空白的")
def test_a_matrix_of_zeros_is_blank(student):
    """There is no largest weight to divide by."""
    expect_drawing(student.ascii_heatmap(np.zeros((2, 2)), ["a", "b"]), np.zeros((2, 2)), ["a", "b"])


@chinese("不改动权重")
def test_the_weights_are_left_alone(student):
    """The caller still needs them."""
    expect(student.ascii_heatmap(np.array([[0.5, 0.5], [0.2, 0.8]]), ["a", "b"])).to_leave_arguments_alone()
