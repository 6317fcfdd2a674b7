"""Grades exercise `masking`. In every mask True (or 1) means "may attend"."""

import numpy as np
import pytest

from autograder.grading import Text, expect, graded

ALIGNED = Text(
    "The last query is aligned with the last key; every query sees its own position and what is before it, nothing after it.",
    "最后一个查询与最后一个键对齐；每个查询能看到自己的位置以及之前的位置，看不到之后的。",
)
REAL_TOKENS = Text(
    "True = a real token: the first lengths[b] of the n_k keys of sentence b, for all its queries.",
    "True 表示真实词元：句子 b 的 n_k 个键中的前 lengths[b] 个，对它的所有查询都一样。",
)
BLOCKED_OUT = Text(
    "The softmax runs over the allowed keys alone (True or 1 = allowed); the weight of a blocked key is 0.",
    "softmax 只在允许的键上进行（True 或 1 表示允许）；被遮住的键权重为 0。",
)
SEES_NOTHING = Text(
    "A query that may attend to nothing has weights 0 and output 0, not NaN and not even weights.",
    "什么都看不到的查询，权重为 0，输出为 0，既不是 NaN，也不是平均分配。",
)
FITS = Text("the mask does not broadcast to the shape of the scores", "掩码不能广播到分数的形状")


@graded(1.0, "causal_mask: as many queries as keys", "causal_mask：查询与键一样多")
def test_causal_square(student, reference, sizes):
    for n in (sizes.n, 1, 2, 9):
        expect(student.causal_mask(n)).to_match(reference.causal_mask(n), because=ALIGNED)
        expect(student.causal_mask(n_q=n, n_k=n)).to_match(reference.causal_mask(n), because=ALIGNED)


@graded(1.0, "causal_mask: fewer queries than keys", "causal_mask：查询比键少")
def test_causal_fewer_queries(student, reference, sizes):
    for n_q, n_k in ((sizes.n_q, sizes.n_q + sizes.n), (sizes.n, sizes.n + 1), (1, sizes.n_k)):
        expect(student.causal_mask(n_q, n_k)).to_match(reference.causal_mask(n_q, n_k), because=ALIGNED)
        expect(student.causal_mask(n_q, n_k=n_k)).to_match(reference.causal_mask(n_q, n_k), because=ALIGNED)


@graded(0.5, "causal_mask: more queries than keys", "causal_mask：查询比键多")
def test_causal_more_queries(student, reference, sizes):
    for n_q, n_k in ((sizes.n_k + sizes.n, sizes.n_k), (sizes.n + 1, sizes.n), (sizes.n_q, 1)):
        expect(student.causal_mask(n_q, n_k)).to_match(reference.causal_mask(n_q, n_k), because=ALIGNED)


@graded(1.0, "padding_mask: real tokens and padding", "padding_mask：真实词元与填充")
def test_padding(student, reference, rng, sizes):
    for batch, n_k in ((sizes.batch, sizes.n_k), (sizes.n_k, sizes.n_k), (1, sizes.n_k), (sizes.batch, 1)):
        lengths = rng.integers(0, n_k + 1, size=batch)
        expect(student.padding_mask(lengths, n_k)).to_match(reference.padding_mask(lengths, n_k), because=REAL_TOKENS)
    lengths = rng.permutation([0, 1, 4, 2])  # nothing, everything but one place, and a place that no sentence uses
    expect(student.padding_mask(lengths=lengths, n_k=5)).to_match(reference.padding_mask(lengths, 5), because=REAL_TOKENS)
    expect(student.padding_mask(lengths, 4)).to_match(reference.padding_mask(lengths, 4), because=REAL_TOKENS)


@graded(0.5, "padding_mask: a list of lengths", "padding_mask：用列表给出长度")
def test_padding_takes_a_list(student, reference, sizes):
    lengths = [sizes.n_k, 0, sizes.n_k - 1]
    expect(student.padding_mask(lengths, sizes.n_k)).to_match(reference.padding_mask(lengths, sizes.n_k), because=REAL_TOKENS)


@graded(0.5, "masked_softmax without a mask", "masked_softmax：没有掩码")
def test_softmax_without_a_mask(student, reference, rng, sizes):
    plain = Text("Without a mask it is the ordinary softmax over the keys.", "没有掩码时就是沿键方向的普通 softmax。")
    scores = rng.normal(size=(sizes.batch, sizes.n_q, sizes.n_k))
    for given in (scores, scores[0], 8192.0 - 64.0 * rng.permutation(sizes.n_k)[np.newaxis]):
        expect(student.masked_softmax(given)).to_match(reference.softmax(given), because=plain)
        expect(student.masked_softmax(given, mask=None)).to_match(reference.softmax(given), because=plain)


@graded(1.0, "masked_softmax with a mask for every score", "masked_softmax：每个分数都有掩码")
def test_softmax_with_a_full_mask(student, reference, rng, sizes, random_mask):
    for shape in ((sizes.batch, sizes.n_q, sizes.n_k), (sizes.n_q, sizes.n_k), (3, 3), (2, 2, 2, 2), (2, 3, 4, 5)):
        scores, mask = rng.normal(size=shape), random_mask(*shape)
        want = reference.masked_softmax(scores, mask)
        expect(student.masked_softmax(scores, mask)).to_match(want, because=BLOCKED_OUT)
        expect(student.masked_softmax(mask=mask, scores=scores)).to_match(want, because=BLOCKED_OUT)


@pytest.mark.parametrize("kind", ["the same for all sentences", "per key", "per query", "per sentence"])
@graded(0.5, "masked_softmax broadcasts the mask", "masked_softmax：掩码的广播")
def test_softmax_broadcasts_the_mask(student, reference, rng, sizes, random_mask, kind):
    for batch, n_q, n_k in ((sizes.batch, sizes.n_q, sizes.n_k), (3, 3, 3)):
        some_queries = (rng.permutation(n_q) > 0)[:, np.newaxis]
        mask = {
            "the same for all sentences": random_mask(n_q, n_k),
            "per key": random_mask(1, n_k),
            "per query": some_queries,
            "per sentence": random_mask(batch, 1, n_k),
        }[kind]
        for scores, given in (
            (rng.normal(size=(batch, n_q, n_k)), mask),
            (rng.normal(size=(2, batch, n_q, n_k)), mask),
            (rng.normal(size=(batch, 3, n_q, n_k)), mask if mask.ndim == 2 else mask[:, np.newaxis]),
        ):
            want = reference.masked_softmax(scores, given)
            expect(student.masked_softmax(scores, given)).to_match(want, because=SEES_NOTHING if kind == "per query" else BLOCKED_OUT)


@graded(1.0, "Integer masks", "整数掩码")
def test_integer_masks(student, reference, rng, sizes, random_mask):
    scores = rng.normal(size=(sizes.batch, sizes.n_q, sizes.n_k))
    for dtype in (np.int64, np.uint8, np.int8):
        for mask in (random_mask(*scores.shape), random_mask(sizes.batch, 1, sizes.n_k), random_mask(sizes.n_q, sizes.n_k)):
            want = reference.masked_softmax(scores, mask)
            expect(student.masked_softmax(scores, mask.astype(dtype))).to_match(
                want, because=Text("In an integer mask 1 means allowed and 0 blocked.", "整数掩码中 1 表示允许，0 表示遮住。")
            )


@graded(1.0, "A row in which nothing is allowed", "什么都不允许的一行")
def test_softmax_of_a_blocked_row(student, rng, sizes, reference, random_mask):
    scores = rng.normal(size=(sizes.batch, sizes.n_q, sizes.n_k))
    mask = random_mask(*scores.shape)
    mask[0, 0] = mask[-1, 1] = False
    expect(student.masked_softmax(scores, mask)).to_match(reference.masked_softmax(scores, mask), because=SEES_NOTHING)
    nothing = np.zeros((sizes.n_q, sizes.n_k), dtype=int)
    expect(student.masked_softmax(scores, nothing)).to_match(np.zeros(scores.shape), because=SEES_NOTHING)


@graded(1.0, "Blocked keys with high scores, allowed keys with low ones", "被遮住的分数高、允许的分数低")
def test_a_mask_is_stronger_than_any_score(student, reference, rng, sizes, random_mask):
    mask = random_mask(sizes.batch, sizes.n_q, sizes.n_k)
    near = rng.integers(0, 64, size=mask.shape) / 16.0
    low, high, in_turn = near - 98.0, near + 94.0, near + 94.0 * (-1.0) ** np.arange(sizes.n_q)[:, np.newaxis]
    for allowed, blocked in ((low, high), (low, low), (high, low), (in_turn, near)):
        scores = np.where(mask, allowed, blocked)
        expect(student.masked_softmax(scores, mask)).to_match(reference.masked_softmax(scores, mask), because=BLOCKED_OUT)


@graded(0.5, "A mask that does not fit is refused", "拒绝形状不符的掩码", property_alone=True)
def test_a_mask_that_does_not_broadcast(student, rng, sizes):
    scores = rng.normal(size=(sizes.batch, sizes.n_q, sizes.n_k))
    for shape in ((sizes.n_q, sizes.n_k + 1), (sizes.n_q + 1, sizes.n_k), (sizes.batch + 1, 1, sizes.n_k)):
        expect(student.masked_softmax(scores, np.ones(shape, dtype=bool))).to_raise(ValueError, when=FITS)


@graded(0.5, "A mask that would enlarge the scores is refused", "拒绝会放大分数的掩码", property_alone=True)
def test_a_mask_that_enlarges_the_scores(student, rng, sizes):
    for shape, larger in (((1, sizes.n_q, sizes.n_k), 0), ((sizes.batch, 1, sizes.n_k), 1), ((sizes.batch, sizes.n_q, 1), 2)):
        mask = np.ones([sizes.n + 1 if i == larger else n for i, n in enumerate(shape)], dtype=bool)
        expect(student.masked_softmax(rng.normal(size=shape), mask)).to_raise(ValueError, when=FITS)


@graded(0.5, "The arguments are left alone", "不修改参数", property_alone=True)
def test_the_arguments_are_left_alone(student, qkv, sizes, rng, random_mask):
    scores, mask = rng.normal(size=(sizes.n_q, sizes.n_k)), random_mask(sizes.n_q, sizes.n_k)
    mask[0] = False
    expect(student.masked_softmax(scores, mask)).to_leave_arguments_alone()
    expect(student.masked_softmax(scores, mask.astype(int))).to_leave_arguments_alone()
    expect(student.masked_attention(*qkv, mask)).to_leave_arguments_alone()


@graded(1.0, "masked_attention of a batch", "一个批次的 masked_attention")
def test_attention_of_a_batch(student, reference, qkv, rng, sizes, random_mask):
    equal = tuple(rng.normal(size=(3, 3, 3, 3)))
    for (Q, K, V), mask in (
        (qkv, random_mask(sizes.batch, sizes.n_q, sizes.n_k)),
        (qkv, random_mask(sizes.batch, 1, sizes.n_k).astype(int)),
        (equal, random_mask(3, 3)),
        (equal, random_mask(3, 1, 3)),
    ):
        want = reference.masked_attention(Q, K, V, mask)
        expect(student.masked_attention(Q, K, V, mask)).to_match(want, "output", "weights", because=BLOCKED_OUT)


@graded(0.5, "masked_attention with a causal mask", "带因果掩码的 masked_attention")
def test_attention_with_a_causal_mask(student, reference, qkv):
    _, X, values = qkv
    for Q, K, V in ((X[0], X[0], values[0]), (X[0, 1:], X[0], values[0]), (X[:, ::-1], X, values)):
        mask = reference.causal_mask(Q.shape[-2], K.shape[-2])
        want = reference.masked_attention(Q, K, V, mask)
        expect(student.masked_attention(mask=mask, V=V, K=K, Q=Q)).to_match(want, "output", "weights", because=BLOCKED_OUT)


@graded(0.5, "masked_attention without a mask", "没有掩码的 masked_attention")
def test_attention_without_a_mask(student, reference, qkv, rng, sizes, with_scores):
    plain = Text("Without a mask it is scaled dot-product attention.", "没有掩码时就是缩放点积注意力。")
    large = with_scores([8192.0 - 64.0 * rng.permutation(sizes.n_k)])
    for Q, K, V in (qkv, (*large, rng.normal(size=(sizes.n_k, sizes.d_v)))):
        want = reference.masked_attention(Q, K, V)
        expect(student.masked_attention(Q, K, V)).to_match(want, "output", "weights", because=plain)
        expect(student.masked_attention(Q, K, V, None)).to_match(want, "output", "weights", because=plain)


@graded(0.5, "masked_attention with several leading axes", "多个前导轴的 masked_attention")
def test_attention_with_several_leading_axes(student, reference, rng, sizes, random_mask):
    for a, b, n_q, n_k, d in ((2, 3, sizes.n_q, sizes.n_k, sizes.d_k), (3, 3, 3, 3, 3)):
        Q, K, V = (rng.normal(size=(a, b, n, d)) for n in (n_q, n_k, n_k))
        for shape in ((a, 1, 1, n_k), (n_q, n_k), (1, n_k), (b, n_q, n_k), (a, b, n_q, n_k)):
            mask = random_mask(*shape)
            want = reference.masked_attention(Q, K, V, mask)
            expect(student.masked_attention(Q, K, V, mask)).to_match(want, "output", "weights", because=BLOCKED_OUT)


@graded(0.5, "masked_attention: a query that sees nothing", "masked_attention：什么都看不到的查询")
def test_attention_of_a_blocked_query(student, reference, qkv, sizes, random_mask):
    mask = random_mask(sizes.batch, sizes.n_q, sizes.n_k)
    mask[0, 1] = mask[1] = False
    want = reference.masked_attention(*qkv, mask)
    expect(student.masked_attention(*qkv, mask)).to_match(want, "output", "weights", because=SEES_NOTHING)
    early = reference.causal_mask(sizes.n_q, 1)  # only the last query has a key
    Q, K, V = qkv[0], qkv[1][:, :1], qkv[2][:, :1]
    want = reference.masked_attention(Q, K, V, early)
    expect(student.masked_attention(Q, K, V, early)).to_match(want, "output", "weights", because=SEES_NOTHING)


@graded(0.5, "masked_attention: blocked keys with high scores", "masked_attention：被遮住的分数很高")
def test_attention_to_low_scores(student, reference, rng, sizes, random_mask, with_scores):
    mask = random_mask(sizes.n_q, sizes.n_k)
    near = rng.integers(0, 64, size=mask.shape) / 16.0
    Q, K = with_scores(np.where(mask, near - 98.0, 94.0 + near))
    V = rng.normal(size=(sizes.n_k, sizes.d_v))
    want = reference.masked_attention(Q, K, V, mask)
    expect(student.masked_attention(Q, K, V, mask)).to_match(want, "output", "weights", because=BLOCKED_OUT)


@graded(0.5, "masked_attention refuses what does not fit", "masked_attention 拒绝不匹配的形状", property_alone=True)
def test_attention_refuses_what_does_not_fit(student, qkv, sizes):
    Q, K, V = (array[:1] for array in qkv)
    mask = np.ones((sizes.n_q, sizes.n_k), dtype=bool)
    d_k = Text("Q and K have different d_k", "Q 和 K 的 d_k 不同")
    for narrow in (K[..., :-1], K[..., :1]):
        expect(student.masked_attention(Q, narrow, V, mask)).to_raise(ValueError, when=d_k)
        expect(student.masked_attention(Q, narrow, V)).to_raise(ValueError, when=d_k)
    n_k = Text("K and V have different n_k", "K 和 V 的 n_k 不同")
    for short in (V[:, :-1], V[:, :1]):
        expect(student.masked_attention(Q, K, short, mask)).to_raise(ValueError, when=n_k)
        expect(student.masked_attention(Q, K, short)).to_raise(ValueError, when=n_k)
    for wrong in ((sizes.n_q, sizes.n_k + 1), (3, sizes.n_q, sizes.n_k)):
        expect(student.masked_attention(Q, K, V, np.ones(wrong, dtype=bool))).to_raise(ValueError, when=FITS)
