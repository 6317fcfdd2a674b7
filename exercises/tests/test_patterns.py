"""Visible tests of the attention patterns: run them with pytest while you write."""

import numpy as np

from .expect import Text, expect
from .titles import chinese

HINTS = {
    "attention_entropy": Text(
        "What does w ln w tend to as w goes to 0, and what does NumPy make of it at 0?",
        "w 趋于 0 时 w ln w 趋于多少？w 等于 0 时 NumPy 又算出什么？",
    ),
    "js_divergence": Text(
        "For p = (1, 0) and q = (0, 1): what is m, and which terms of the two sums count at all?",
        "设 p = (1, 0)、q = (0, 1)：m 是多少？两个求和中哪些项才算数？",
    ),
    "compare_sentences": Text(
        "What does `attend` take, what does it return, and along which axis of the weights does one query's row lie?",
        "`attend` 接受什么、返回什么？一个查询的那一行权重沿哪个轴？",
    ),
}


@chinese("熵能区分集中与平均")
def test_entropy_tells_sharp_from_even(student):
    """One key, two keys alike, four keys alike: 0, ln 2, ln 4."""
    expect(student.attention_entropy(np.array([[1.0, 0.0, 0.0, 0.0], [0.5, 0.0, 0.5, 0.0], [0.25, 0.25, 0.25, 0.25]]))).to_match(
        [0.0, 0.6931472, 1.3862944],
        because=Text(
            "The entropy of a row is -Σ w ln w with the natural logarithm, and 0 · ln 0 counts as 0.",
            "一行的熵是 -Σ w ln w，用自然对数，0 · ln 0 按 0 计算。",
        ),
    )


@chinese("什么都看不到的查询熵为 0")
def test_entropy_of_a_query_that_sees_nothing_is_0(student):
    """A row of zeros, as a masked attention may give it."""
    expect(student.attention_entropy(np.zeros((2, 3)))).to_match(
        [0.0, 0.0], because=Text("A row of zeros has entropy 0.", "全为零的一行，熵是 0。")
    )


@chinese("JS 散度从 0 到 ln 2")
def test_js_divergence_goes_from_0_to_ln_2(student):
    """Nothing in common, half in common, one inside the other, equal."""
    P = np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [1.0, 0.0, 0.0], [0.2, 0.3, 0.5]])
    Q = np.array([[0.0, 1.0, 0.0], [0.0, 0.5, 0.5], [0.5, 0.5, 0.0], [0.2, 0.3, 0.5]])
    expect(student.js_divergence(P, Q)).to_match(
        [0.6931472, 0.3465736, 0.2157616, 0.0],
        because=Text(
            "It is half of KL(p, m) plus half of KL(q, m) with m the mean of p and q; terms with p = 0 count as 0.",
            "它等于 KL(p, m) 的一半加 KL(q, m) 的一半，m 是 p 与 q 的平均；p = 0 的项按 0 计算。",
        ),
    )


def attend(X):
    """An attention that takes its weights from the first columns of X."""
    n = len(X)
    return 2.0 * X, X[:, :n]


@chinese("两个句子逐个查询比较")
def test_two_sentences_are_compared_query_by_query(student):
    """The first query looks the same way in both, the second one elsewhere."""
    X_a = np.array([[1.0, 0.0], [0.75, 0.25]])
    X_b = np.array([[1.0, 0.0], [0.0, 1.0]])
    want = {
        "weights_a": X_a,
        "weights_b": X_b,
        "entropy_a": np.array([0.0, 0.5623351]),
        "entropy_b": np.array([0.0, 0.0]),
        "divergence": np.array([0.0, 0.3803957]),
        "same_top_key": np.array([True, False]),
    }
    expect(student.compare_sentences(attend, X_a, X_b)).to_match(
        want, because=Text("One value for each query, from its own row of weights.", "每个查询一个值，由它自己的那行权重得出。")
    )


@chinese("长度不同的句子要拒绝")
def test_sentences_of_different_length_are_refused(student):
    """Two tokens and three tokens have no queries in common."""
    expect(student.compare_sentences(attend, np.eye(2, 3), np.eye(3))).to_raise(
        ValueError, when=Text("the sentences differ in length", "两个句子的长度不同")
    )
