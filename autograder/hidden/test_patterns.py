"""Grades exercise `patterns`."""

import numpy as np
import pytest

from autograder.grading import Text, expect, graded

ENTROPY = Text(
    "The entropy of a row is -Σ w ln w over its keys, with the natural logarithm.", "一行的熵是对它的键求 -Σ w ln w，用自然对数。"
)
ZEROS = Text(
    "A weight of 0 adds 0: 0 · ln 0 counts as 0, for every row by itself.", "权重 0 的贡献是 0：0 · ln 0 按 0 计算，每一行各算各的。"
)
JS = Text(
    "JS = KL(p, m) / 2 + KL(q, m) / 2 with m = (p + q) / 2, in nats, without a root.",
    "JS = KL(p, m) / 2 + KL(q, m) / 2，其中 m = (p + q) / 2，单位 nat，不开方。",
)
PER_QUERY = Text(
    "Each sentence goes through `attend` by itself; every query gives one value, from its own row of weights.",
    "每个句子单独经过 `attend`；每个查询给出一个值，由它自己的那行权重得出。",
)
LENGTHS = Text("the sentences differ in length", "两个句子的长度不同")


@pytest.fixture
def distributions(rng, reference):
    """Random rows of weights of a given shape, from even to sharp."""
    return lambda *shape: reference.softmax(rng.normal(scale=1.5, size=shape))


@pytest.fixture
def with_zeros(distributions, random_mask):
    """Random rows of weights, some of them 0."""

    def draw(*shape):
        weights = distributions(*shape) * random_mask(*shape)
        return weights / weights.sum(axis=-1, keepdims=True)

    return draw


@graded(1.5, "attention_entropy in nats", "attention_entropy，单位 nat")
def test_entropy(student, reference, sizes, distributions):
    for shape in ((sizes.n_q, sizes.n_k), (sizes.batch, sizes.n_q, sizes.n_k), (3, 3), (1, 6), (sizes.n, 1)):
        weights = distributions(*shape)
        expect(student.attention_entropy(weights)).to_match(reference.attention_entropy(weights), because=ENTROPY)


@graded(1.0, "attention_entropy where weights are 0", "attention_entropy：权重为 0 时")
def test_entropy_of_zeros(student, reference, sizes, with_zeros):
    n_k = sizes.n_k + 2  # of two keys, one of them 0, the other has all: entropy 0 in any unit
    for weights in (with_zeros(sizes.n_q, n_k), with_zeros(sizes.batch, sizes.n_q, n_k), np.eye(sizes.n)):
        expect(student.attention_entropy(weights)).to_match(reference.attention_entropy(weights), because=ZEROS)


@graded(0.5, "attention_entropy of a row of zeros", "attention_entropy：全为零的一行")
def test_entropy_of_nothing(student, reference, sizes, distributions):
    weights = distributions(sizes.n_q, sizes.n_k)
    weights[0] = 0.0
    for given in (weights, np.zeros((2, sizes.n))):
        expect(student.attention_entropy(given)).to_match(
            reference.attention_entropy(given), because=Text("A row of zeros has entropy 0.", "全为零的一行，熵是 0。")
        )


@graded(0.5, "attention_entropy with any leading axes", "attention_entropy：任意的前导轴")
def test_entropy_leading_axes(student, reference, sizes, distributions):
    for shape in ((sizes.n,), (2, 3, sizes.n_q, sizes.n_k), (3, 3, 3, 3)):
        weights = distributions(*shape)
        expect(student.attention_entropy(weights=weights)).to_match(reference.attention_entropy(weights), because=ENTROPY)


@graded(1.5, "js_divergence in nats", "js_divergence，单位 nat")
def test_js(student, reference, sizes, distributions):
    for shape in ((sizes.n_q, sizes.n_k), (sizes.batch, sizes.n_q, sizes.n_k), (3, 3)):
        P, Q = distributions(*shape), distributions(*shape)
        want = reference.js_divergence(P, Q)
        expect(student.js_divergence(P, Q)).to_match(want, because=JS)
        expect(student.js_divergence(Q=Q, P=P)).to_match(want, because=JS)


@graded(1.0, "js_divergence where weights are 0", "js_divergence：权重为 0 时")
def test_js_of_zeros(student, reference, rng, sizes, distributions, with_zeros):
    shape = (sizes.batch, sizes.n, sizes.n)
    P, Q, even = with_zeros(*shape), with_zeros(*shape), distributions(*shape)
    causal, again = (reference.masked_softmax(rng.normal(size=shape), reference.causal_mask(sizes.n)) for _ in range(2))
    for p, q in ((P, Q), (P, even), (even, P), (causal, again)):
        expect(student.js_divergence(p, q)).to_match(reference.js_divergence(p, q), because=ZEROS)


@graded(0.5, "js_divergence from 0 to ln 2", "js_divergence 从 0 到 ln 2")
def test_js_bounds(student, sizes, with_zeros):
    P = with_zeros(sizes.n_q, sizes.n_k)
    expect(student.js_divergence(P, P)).to_match(np.zeros(sizes.n_q), because=Text("Equal rows have divergence 0.", "相同的行散度为 0。"))
    one, other = np.eye(sizes.n), np.roll(np.eye(sizes.n), 1, axis=1)
    expect(student.js_divergence(one, other)).to_match(
        np.full(sizes.n, np.log(2)), because=Text("Rows with nothing in common have divergence ln 2.", "毫无共同之处的行散度为 ln 2。")
    )


@graded(0.5, "js_divergence with any leading axes", "js_divergence：任意的前导轴")
def test_js_leading_axes(student, reference, sizes, distributions):
    for shape in ((sizes.n,), (2, 3, sizes.n_q, sizes.n_k), (3, 3, 3, 3)):
        P, Q = distributions(*shape), distributions(*shape)
        expect(student.js_divergence(P, Q)).to_match(reference.js_divergence(P, Q), because=JS)


@pytest.fixture
def sentences(rng, sizes):
    """Two sentences of one length: the first half of the second is nearly that of the first, the rest is new."""
    n, d = sizes.n + 2, sizes.n + 5
    X_a = rng.normal(scale=2.0, size=(n, d))
    X_b = np.where(np.arange(n)[:, np.newaxis] < n // 2, X_a + 0.01, rng.normal(scale=2.0, size=(n, d)))
    return X_a, X_b


@graded(1.5, "compare_sentences: weights, entropies, divergence", "compare_sentences：权重、熵、散度")
def test_compare(student, reference, sentences, sizes):
    model = reference.SelfAttention(d_model=sentences[0].shape[1], d_k=sizes.d_k, d_v=sizes.d_v, seed=sizes.n)
    for attend in (model.forward, lambda X: model.forward(X, reference.causal_mask(len(X)))):
        want = reference.compare_sentences(attend, *sentences)
        del want["same_top_key"]
        expect(student.compare_sentences(attend, *sentences)).to_match(want, because=PER_QUERY)


@graded(1.0, "compare_sentences: the same top key", "compare_sentences：最受关注的键是否相同")
def test_same_top_key(student, reference, sentences):
    def attend(X):
        weights = reference.softmax(X[:, : len(X)])
        return weights @ X, weights

    same_key = Text(
        "True where the query gives its largest weight to the same key in both.", "某个查询在两句中都把最大权重给同一个键，就是 True。"
    )
    X_a, X_b = sentences
    for a, b in ((X_a, X_b), (X_b, X_a), (X_a, X_a), (X_a, -X_a)):
        want = reference.compare_sentences(attend, a, b)["same_top_key"]
        expect(student.compare_sentences(X_b=b, X_a=a, attend=attend)).to_match({"same_top_key": want}, because=same_key)


@graded(1.0, "compare_sentences with an axis for the heads", "compare_sentences：权重带有头的轴")
def test_compare_heads(student, reference, rng, sizes):
    X_a, X_b = rng.normal(size=(2, sizes.n, 6))
    matrices = rng.normal(size=(4, 6, 6)) / 2

    def attend(X):
        return reference.multi_head_attention(X, 3, *matrices)

    want = reference.compare_sentences(attend, X_a, X_b)
    expect(student.compare_sentences(attend, X_a, X_b)).to_match(want, because=PER_QUERY)


@graded(0.5, "compare_sentences gives `attend` one sentence a call", "compare_sentences 每次只给 `attend` 一个句子", property_alone=True)
def test_one_sentence_a_call(student, reference, sentences):
    given = []

    def attend(X):
        given.append(np.shape(X))
        return reference.scaled_dot_product_attention(X, X, X)

    reply = student.compare_sentences(attend, *sentences)
    expect(reply).entries("weights_a", "weights_b")
    expect(reply).to_hold(len(given) > 0 and set(given) == {sentences[0].shape}, PER_QUERY)


@graded(0.5, "Sentences of different length are refused", "拒绝长度不同的句子", property_alone=True)
def test_different_lengths(student, reference, sentences):
    def attend(X):
        return reference.scaled_dot_product_attention(X, X, X)

    X_a, X_b = sentences
    for a, b in ((X_a, X_b[:-1]), (X_a[:-1], X_b), (X_a[:1], X_b), (X_a, X_b[:1])):
        expect(student.compare_sentences(attend, a, b)).to_raise(ValueError, when=LENGTHS)


@graded(0.5, "The arguments are left alone", "不修改参数", property_alone=True)
def test_arguments_are_left_alone(student, reference, sentences, sizes, with_zeros):
    P, Q = with_zeros(sizes.n_q, sizes.n_k), with_zeros(sizes.n_q, sizes.n_k)
    expect(student.attention_entropy(P)).to_leave_arguments_alone()
    expect(student.js_divergence(P, Q)).to_leave_arguments_alone()
    expect(student.compare_sentences(reference.SelfAttention(sentences[0].shape[1], 3, 3).forward, *sentences)).to_leave_arguments_alone()
