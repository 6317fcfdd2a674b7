"""Visible tests of scaled dot-product attention: run them with pytest while you write."""

import numpy as np

from .expect import Text, expect
from .titles import chinese

HINTS = {
    "scaled_dot_product_attention": Text(
        "With Q (2, 3), K (4, 3) and V (4, 5): which shape has each step, and over which axis of it must the weights add up to 1?",
        "设 Q (2, 3)、K (4, 3)、V (4, 5)：每一步的结果是什么形状？权重应当沿其中的哪个轴加起来等于 1？",
    ),
}


@chinese("本课的例子")
def test_the_example_of_the_lesson(student):
    """One query over three keys: it looks most at the key that is most like it."""
    Q = np.array([[1.0, 0.0, 0.0]])
    K = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.0, 0.0]])
    V = np.array([[10.0, 20.0], [30.0, 40.0], [50.0, 60.0]])
    expect(student.scaled_dot_product_attention(Q, K, V)).to_match(
        ([[27.8296534, 37.8296534]], [[0.4327806, 0.2429561, 0.3242633]]),
        "output",
        "weights",
        because=Text(
            "weights = softmax(Q Kᵀ / √d_k) over the keys, output = weights times V.",
            "weights 是 Q Kᵀ / √d_k 沿键方向的 softmax，output 是 weights 乘 V。",
        ),
    )


@chinese("分数要除以 d_k 的平方根")
def test_scores_are_divided_by_the_root_of_d_k(student):
    """d_k = 4, so a dot product of 2 ln 3 counts as ln 3: three times the weight."""
    Q = np.array([[2.0 * np.log(3.0), 0.0, 0.0, 0.0]])
    K = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]])
    V = np.array([[4.0, 0.0, 0.0], [0.0, 8.0, 0.0]])
    expect(student.scaled_dot_product_attention(Q, K, V)).to_match(
        ([[3.0, 2.0, 0.0]], [[0.75, 0.25]]),
        "output",
        "weights",
        because=Text(
            "The scores are divided by √d_k, the root of the width of the keys, before the softmax.",
            "在 softmax 之前，分数要除以 √d_k，即键的维数的平方根。",
        ),
    )


@chinese("一批句子互不干扰")
def test_the_sentences_of_a_batch_stay_apart(student):
    """Two sentences, two queries each, two keys each: nothing of one shows in the other."""
    Q = np.array([[[2.0 * np.log(3.0), 0, 0, 0], [0, 0, 0, 0]], [[0, 0, 0, 0], [0, 2.0 * np.log(7.0), 0, 0]]])
    K = np.array([[[1.0, 0, 0, 0], [0, 1.0, 0, 0]], [[0, 1.0, 0, 0], [1.0, 0, 0, 0]]])
    V = np.array([[[4.0], [8.0]], [[80.0], [160.0]]])
    expect(student.scaled_dot_product_attention(Q, K, V)).to_match(
        ([[[5.0], [6.0]], [[120.0], [90.0]]], [[[0.75, 0.25], [0.5, 0.5]], [[0.5, 0.5], [0.875, 0.125]]]),
        "output",
        "weights",
        because=Text("Each sentence of a batch is an attention of its own.", "批次中的每个句子各自做注意力。"),
    )


@chinese("很大的分数不会溢出")
def test_large_scores_do_not_overflow(student):
    """Scores of 5000 and -5000 after the scaling, and a query with scores 0."""
    Q = np.array([[100.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    K = np.array([[100.0, 0.0, 0.0, 0.0], [-100.0, 0.0, 0.0, 0.0]])
    V = np.array([[1.0], [2.0]])
    expect(student.scaled_dot_product_attention(Q, K, V)).to_match(
        ([[1.0], [1.5]], [[1.0, 0.0], [0.5, 0.5]]),
        "output",
        "weights",
        because=Text("Large scores give all the weight to the best key.", "分数很大时，全部权重落在最匹配的键上。"),
    )


@chinese("形状对不上就拒绝")
def test_shapes_that_do_not_fit_are_refused(student):
    """Queries of width 3 cannot be compared with keys of width 2."""
    expect(student.scaled_dot_product_attention(np.ones((2, 3)), np.ones((4, 2)), np.ones((4, 5)))).to_raise(
        ValueError, when=Text("Q and K have different d_k", "Q 和 K 的 d_k 不同")
    )
    expect(student.scaled_dot_product_attention(np.ones((2, 3)), np.ones((4, 3)), np.ones((6, 5)))).to_raise(
        ValueError, when=Text("K and V have different n_k", "K 和 V 的 n_k 不同")
    )


@chinese("不改动参数")
def test_the_arguments_are_left_alone(student):
    """The caller still needs Q, K and V."""
    expect(student.scaled_dot_product_attention(np.ones((2, 3)), np.ones((4, 3)), np.ones((4, 5)))).to_leave_arguments_alone()
