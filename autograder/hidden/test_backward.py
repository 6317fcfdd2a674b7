"""Grades exercise `backward`."""

import numpy as np
import pytest

from autograder.grading import Text, expect, graded

GRADIENTS = ("dQ", "dK", "dV")

SHARES = Text(
    "dV = weightsᵀ @ d_output: each value gets the gradients of the outputs that it went into, by its weights.",
    "dV = weightsᵀ @ d_output：每个值按权重得到它参与的那些输出的梯度。",
)
THROUGH = Text(
    "d_scores = weights * (d_weights - the row's sum of weights * d_weights); dQ and dK follow from it with the factor 1 / √d_k.",
    "d_scores = weights * (d_weights - 该行 weights * d_weights 之和)；由它得到 dQ 和 dK，并带有系数 1 / √d_k。",
)
APART = Text(
    "Each sentence (and head) has gradients of its own; ᵀ means that the last two axes change places.",
    "每个句子（和每个头）有各自的梯度；ᵀ 表示最后两个轴互换。",
)
BLOCKED = Text(
    "The weights are those under the mask (True or 1 = allowed): what is blocked has weight 0, and no gradient goes through it.",
    "权重是加了掩码之后的（True 或 1 表示允许）：被遮住的权重为 0，没有梯度流过。",
)
SEES_NOTHING = Text(
    "A query that may attend to nothing has dQ = 0 and adds nothing to dK and dV; no NaN.",
    "什么都看不到的查询，dQ = 0，对 dK 和 dV 也没有贡献；不能出现 NaN。",
)


def draw(rng, leading, n_q, n_k, d_k, d_v):
    """d_output, Q, K and V of these sizes."""
    return tuple(rng.normal(size=(*leading, n, d)) for n, d in ((n_q, d_v), (n_q, d_k), (n_k, d_k), (n_k, d_v)))


@pytest.fixture
def batch(rng, sizes):
    """d_output, Q, K and V of a batch, every axis of another length."""
    return draw(rng, (sizes.batch,), sizes.n_q, sizes.n_k, sizes.d_k, sizes.d_v)


@graded(0.5, "The gradient of the values", "值的梯度")
def test_the_values(student, reference, batch):
    _, _, dV = expect(student.attention_backward(*batch)).parts(*GRADIENTS)
    expect(dV).to_match(reference.attention_backward(*batch)[2], because=SHARES)


@graded(1.0, "The gradients of queries and keys", "查询和键的梯度")
def test_queries_and_keys(student, reference, rng, sizes, batch):
    cases = [batch, *(draw(rng, (), sizes.n_q, sizes.n_k, d_k, d_v=5) for d_k in (1, 2, 9, 16))]
    for given in cases:
        want = reference.attention_backward(*given)
        dQ, dK, _ = expect(student.attention_backward(*given)).parts(*GRADIENTS)
        expect(dQ).to_match(want[0], because=THROUGH)
        expect(dK).to_match(want[1], because=THROUGH)


@graded(0.5, "No leading axis, several, and axes of equal length", "没有前导轴、多个前导轴、长度相等的轴")
def test_leading_axes(student, reference, rng, sizes):
    shapes = [(leading, sizes.n_q, sizes.n_k, sizes.d_k, sizes.d_v) for leading in ((), (2, 3), (2, 1, 2))]
    shapes += [((), 3, 3, 3, 3), ((3,), 3, 3, 3, 3), ((3, 3), 3, 3, 3, 3), ((), 1, 4, 3, 2), ((2,), 4, 1, 1, 1)]
    for shape in shapes:
        d_output, Q, K, V = draw(rng, *shape)
        want = reference.attention_backward(d_output, Q, K, V)
        expect(student.attention_backward(V=V, K=K, Q=Q, d_output=d_output)).to_match(want, *GRADIENTS, because=APART)


@graded(1.0, "Under a mask", "有掩码时")
def test_a_mask(student, reference, rng, batch, sizes, random_mask):
    own = random_mask(sizes.batch, sizes.n_q, sizes.n_k)
    square = draw(rng, (3,), 3, 3, 3, 3)
    for given, mask in (
        (batch, own),
        (batch, random_mask(sizes.n_q, sizes.n_k)),
        (square, reference.causal_mask(3)),
        (square, random_mask(3, 3, 3)),
        (batch, None),
    ):
        want = reference.attention_backward(*given, mask)
        expect(student.attention_backward(*given, mask)).to_match(want, *GRADIENTS, because=BLOCKED)
    want = reference.attention_backward(*batch, own)
    expect(student.attention_backward(*batch, mask=own)).to_match(want, *GRADIENTS, because=BLOCKED)


@graded(0.5, "Masks that broadcast, and masks of integers", "需要广播的掩码和整数掩码")
def test_broadcast_masks(student, reference, rng, batch, sizes, random_mask):
    some_queries = (rng.permutation(sizes.n_q) > 0)[:, np.newaxis]
    for mask in (
        random_mask(1, sizes.n_k),
        random_mask(sizes.batch, 1, sizes.n_k),
        random_mask(sizes.batch, sizes.n_q, sizes.n_k).astype(np.int64),
        random_mask(sizes.n_q, sizes.n_k).astype(np.uint8),
        some_queries,
    ):
        want = reference.attention_backward(*batch, mask)
        expect(student.attention_backward(*batch, mask)).to_match(want, *GRADIENTS, because=BLOCKED)
    heads = draw(rng, (2, 3), sizes.n_q, sizes.n_k, sizes.d_k, sizes.d_v)
    for shape in ((2, 1, 1, sizes.n_k), (3, sizes.n_q, sizes.n_k)):
        mask = random_mask(*shape)
        want = reference.attention_backward(*heads, mask)
        expect(student.attention_backward(*heads, mask)).to_match(want, *GRADIENTS, because=BLOCKED)


@graded(0.5, "A query that sees nothing", "什么都看不到的查询")
def test_a_blocked_query(student, reference, rng, batch, sizes, random_mask):
    mask = random_mask(sizes.batch, sizes.n_q, sizes.n_k)
    mask[0, 1] = mask[1] = False
    more_queries = draw(rng, (), sizes.n_k + 2, sizes.n_k, sizes.d_k, sizes.d_v)
    for given, blocked in ((batch, mask), (batch, mask.astype(int)), (more_queries, reference.causal_mask(sizes.n_k + 2, sizes.n_k))):
        want = reference.attention_backward(*given, blocked)
        expect(student.attention_backward(*given, blocked)).to_match(want, *GRADIENTS, because=SEES_NOTHING)


@graded(0.5, "Large scores", "很大的分数")
def test_large_scores(student, reference, rng, sizes, with_scores):
    steps = 64.0 * rng.permutation(sizes.n_k)
    tied = np.zeros(sizes.n_k)  # two keys share the largest score, so that their gradients are not 0
    tied[rng.permutation(sizes.n_k)[:2]] = 8192.0
    Q, K = with_scores([8192.0 + steps, -8192.0 - steps, tied])
    d_output, V = rng.normal(size=(3, sizes.d_v)) / 8192.0, rng.normal(size=(sizes.n_k, sizes.d_v))
    want = reference.attention_backward(d_output, Q, K, V)
    expect(student.attention_backward(d_output, Q, K, V)).to_match(
        want, *GRADIENTS, because=Text("The softmax of the forward pass must be stable here too.", "这里的前向 softmax 也必须数值稳定。")
    )


@graded(0.5, "The arguments are left alone", "不修改参数", property_alone=True)
def test_the_arguments_are_left_alone(student, batch, sizes, random_mask):
    mask = random_mask(sizes.n_q, sizes.n_k)
    expect(student.attention_backward(*batch)).to_leave_arguments_alone()
    expect(student.attention_backward(*batch, mask)).to_leave_arguments_alone()
    expect(student.attention_backward(*batch, mask.astype(int))).to_leave_arguments_alone()
