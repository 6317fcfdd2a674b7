"""Grades exercise `sliding_window`."""

from autograder.grading import Text, expect, graded

NEWEST = Text(
    "Each query sees the `window` newest keys up to its own position, itself included; their weights add up to 1.",
    "每个查询能看到截至自己位置的最新 `window` 个键，包括它自己；这些权重加起来等于 1。",
)
SEES_NOTHING = Text("A query before the first key has weights 0 and output 0.", "位于第一个键之前的查询，权重为 0，输出为 0。")


def attend(student, reference, arguments, window, because=NEWEST):
    """One call, and what it must give."""
    want = reference.sliding_window_attention(*arguments, window)
    expect(student.sliding_window_attention(*arguments, window)).to_match(want, "output", "weights", because=because)


def random_qkv(rng, n_q, n_k, leading=(), d_k=5, d_v=3):
    """Q (..., n_q, d_k), K (..., n_k, d_k), V (..., n_k, d_v)."""
    return tuple(rng.normal(size=(*leading, *shape)) for shape in ((n_q, d_k), (n_k, d_k), (n_k, d_v)))


@graded(1.0, "As many queries as keys", "查询与键一样多")
def test_square(student, reference, rng, sizes):
    for n, window in ((7, 3), (sizes.n + 2, 2), (4, 4), (6, 1), (5, 4)):
        attend(student, reference, random_qkv(rng, n, n), window)


@graded(0.75, "Fewer queries than keys, and batches", "查询比键少；批次")
def test_fewer_queries(student, reference, rng, sizes, qkv):
    attend(student, reference, random_qkv(rng, sizes.n_q, sizes.n_q + sizes.n, (sizes.batch,)), 2)
    attend(student, reference, random_qkv(rng, 1, 6, (2, 3)), 4)
    attend(student, reference, qkv, 2)
    Q, K, V = random_qkv(rng, 3, 8)
    want = reference.sliding_window_attention(Q, K, V, 3)
    expect(student.sliding_window_attention(window=3, V=V, K=K, Q=Q)).to_match(want, "output", "weights", because=NEWEST)


@graded(0.5, "A window longer than the text", "窗口比文本长")
def test_long_window(student, reference, rng, sizes):
    for window in (sizes.n_k, sizes.n_k + 1, 1000):
        attend(student, reference, random_qkv(rng, sizes.n_k, sizes.n_k), window)


@graded(0.5, "Queries that see nothing, and keys outside with large scores", "什么都看不到的查询；窗口之外分数很大的键")
def test_nothing_and_large(student, reference, rng, sizes):
    attend(student, reference, random_qkv(rng, sizes.n_k + 2, sizes.n_k), 2, SEES_NOTHING)
    Q, K, V = random_qkv(rng, 5, 5)
    Q[:, 0], K[:, 0] = 1.0, (60.0, 0.0, 1.0, 2.0, 80.0)  # the oldest and the newest key score far above the rest
    attend(student, reference, (Q, K, V), 2)


@graded(0.25, "The arguments are left alone", "不修改参数", property_alone=True)
def test_the_arguments_are_left_alone(student, qkv):
    expect(student.sliding_window_attention(*qkv, 2)).to_leave_arguments_alone()
