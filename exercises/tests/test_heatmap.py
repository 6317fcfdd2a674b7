"""Visible tests of the heatmap: run them with pytest while you write. How wide a cell is and where its shade stands is yours to choose."""

import numpy as np

from .expect import expect
from .heatmap_text import problem_of
from .titles import chinese


def expect_drawing(reply, *facts, **more):
    """The reply is a drawing of these weights and tokens."""
    problem = problem_of(expect(reply).to_be_text(), *facts, **more)
    if problem is not None:
        expect(reply).to_hold(False, problem)


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
