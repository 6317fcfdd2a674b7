"""Grades exercise `kv_cache`: every step against causal attention over the whole prefix."""

import numpy as np

from autograder.grading import Text, Unanswered, expect, graded

PREFIX = Text(
    "Step t gives row t of causal attention: the new token's query over the keys and values of all tokens so far, its own too.",
    "第 t 步给出因果注意力的第 t 行：新词元的查询面对到目前为止所有词元（包括它自己）的键和值。",
)
SCALE = Text(
    "The scores are divided by √d_k, the root of the width of the keys, as in every attention of the course.",
    "与本课程的每个注意力一样，分数要除以 √d_k，即键的维数的平方根。",
)
FORGOTTEN = Text(
    "After reset() the next token is the first one again: no key and no value of before is left.",
    "reset() 之后，下一个词元又是第一个：之前的键和值都不再留下。",
)
OWN_CACHE = Text("Every object has a cache of its own.", "每个对象都有自己的缓存。")
LARGE = Text("A row of large scores gives all its weight to the best key.", "分数很大的一行把全部权重给最匹配的键。")


def draw(rng, d_model, d_k, d_v):
    """W_Q, W_K and W_V of these sizes, which keep numbers of ordinary size at ordinary size."""
    return tuple(rng.normal(size=(d_model, d)) / np.sqrt(d_model) for d in (d_k, d_k, d_v))


def causal_rows(reference, X, matrices):
    """What each step must return for the tokens X (n, d_model): its output and its weights."""
    Q, K, V = (X @ W for W in matrices)
    output, weights = reference.masked_attention(Q, K, V, reference.causal_mask(len(X)))
    return [(output[t], weights[t, : t + 1]) for t in range(len(X))]


def check_steps(cache, reference, X, matrices, because):
    """Step through the tokens X, which are the first that this cache sees."""
    for reply, want in zip(cache.step.each([(x,) for x in X]), causal_rows(reference, X, matrices), strict=True):
        expect(reply).to_match(want, "output", "weights", because=because)


def reset(cache):
    """Call reset(). What it returns is free: an object of the student's own, which cannot cross the wire, is no fault."""
    try:
        cache.reset()
    except Unanswered as error:
        if error.status != "failed":
            raise


@graded(1.0, "Every step equals causal attention over the prefix", "每一步都等于对整个前缀的因果注意力")
def test_every_step(student, reference, rng, sizes):
    W_Q, W_K, W_V = matrices = draw(rng, sizes.n, sizes.d_k, sizes.d_v)
    check_steps(student.CachedAttention(W_Q, W_K, W_V), reference, rng.normal(size=(6, sizes.n)), matrices, PREFIX)
    check_steps(student.CachedAttention(W_V=W_V, W_K=W_K, W_Q=W_Q), reference, rng.normal(size=(6, sizes.n)), matrices, PREFIX)
    cache, X = student.CachedAttention(W_Q, W_K, W_V), rng.normal(size=(3, sizes.n))
    for x, want in zip(X, causal_rows(reference, X, matrices), strict=True):
        expect(cache.step(x=x)).to_match(want, "output", "weights", because=PREFIX)


@graded(0.5, "The scores are divided by √d_k", "分数除以 √d_k")
def test_the_scale(student, reference, rng, sizes):
    for d_k in (1, 2, 9, 16):
        matrices = draw(rng, sizes.n, d_k, d_v=5)
        check_steps(student.CachedAttention(*matrices), reference, 2.0 * rng.normal(size=(4, sizes.n)), matrices, SCALE)


@graded(0.5, "Widths of equal size are not mixed up", "相等的维数不会混淆")
def test_equal_widths(student, reference, rng):
    for width, n in ((3, 3), (4, 6), (1, 3)):
        matrices = draw(rng, width, width, width)
        check_steps(student.CachedAttention(*matrices), reference, rng.normal(size=(n, width)), matrices, PREFIX)


@graded(1.0, "reset() begins a new sentence", "reset() 开始一个新句子")
def test_reset(student, reference, rng, sizes):
    matrices = draw(rng, sizes.n, sizes.d_k, sizes.d_v)
    cache = student.CachedAttention(*matrices)
    reset(cache)
    for n in (5, 2, 1, 4):
        check_steps(cache, reference, rng.normal(size=(n, sizes.n)), matrices, FORGOTTEN)
        reset(cache)
    reset(cache)
    check_steps(cache, reference, rng.normal(size=(3, sizes.n)), matrices, FORGOTTEN)


@graded(0.5, "Two caches share nothing", "两个缓存互不相干")
def test_two_caches(student, reference, rng, sizes):
    first, second = draw(rng, sizes.n, sizes.d_k, sizes.d_v), draw(rng, sizes.n, sizes.d_k, sizes.d_v)
    for matrices in ((first, second, first), (second, second)):
        caches = [student.CachedAttention(*own) for own in matrices]
        sentences = [rng.normal(size=(4, sizes.n)) for _ in matrices]
        rows = [causal_rows(reference, X, own) for X, own in zip(sentences, matrices, strict=True)]
        for t in range(4):
            for cache, X, want in zip(caches, sentences, rows, strict=True):
                expect(cache.step(X[t])).to_match(want[t], "output", "weights", because=OWN_CACHE)
        reset(caches[0])
        x = rng.normal(size=sizes.n)
        want = causal_rows(reference, np.vstack([sentences[1], x]), matrices[1])[-1]
        expect(caches[1].step(x)).to_match(want, "output", "weights", because=OWN_CACHE)


@graded(0.5, "Large scores do not overflow", "很大的分数不会溢出")
def test_large_scores(student, reference, rng, sizes, with_scores):
    n = 5
    steps = 64.0 * np.stack([rng.permutation(n) for _ in range(n)])
    Q, K = with_scores(np.where(rng.permutation(n)[:, np.newaxis] % 2 == 0, 8192.0, -8192.0) + steps)
    matrices = (Q, K, rng.normal(size=(n, sizes.d_v)))  # token t is the t-th unit vector, so it picks row t of each
    check_steps(student.CachedAttention(*matrices), reference, np.eye(n), matrices, LARGE)


@graded(0.5, "A long sentence", "很长的句子")
def test_a_long_sentence(student, reference, rng):
    matrices = draw(rng, 3, 2, 4)
    cache = student.CachedAttention(*matrices)
    check_steps(cache, reference, rng.normal(size=(140, 3)), matrices, PREFIX)
    reset(cache)
    check_steps(cache, reference, rng.normal(size=(3, 3)), matrices, FORGOTTEN)


@graded(0.5, "The token is left alone", "不修改传入的词元", property_alone=True)
def test_the_token_is_left_alone(student, rng, sizes):
    cache = student.CachedAttention(*draw(rng, sizes.n, sizes.d_k, sizes.d_v))
    for x in rng.normal(size=(3, sizes.n)):
        expect(cache.step(x)).to_leave_arguments_alone()
