"""Visible tests of the key-value cache: run them with pytest while you write."""

import numpy as np

from .expect import Text, expect
from .titles import chinese

HINTS = {
    "CachedAttention": Text(
        "What of an old token will a later one need: its query, its key, its value?",
        "后面的词元还需要旧词元的哪些东西：查询、键，还是值？",
    ),
    "CachedAttention.step": Text(
        "At step t, how many keys does the one query meet, and is the new token's own among them?",
        "第 t 步时，唯一的查询要面对几个键？其中包括新词元自己的键吗？",
    ),
}

# d_k = 4. The score of a query on a key is (the query's first feature) * (the key's second feature) * ln 3, after the scaling.
W_Q = np.array([[2.0 * np.log(3.0), 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
W_K = np.array([[0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]])
W_V = np.array([[4.0, 0.0, 0.0], [0.0, 8.0, 0.0]])
TOKENS = np.array([[2.0, 0.0], [1.0, 1.0], [1.0, 0.0]])
STEPS = [
    ([8.0, 0.0, 0.0], [1.0]),
    ([5.0, 6.0, 0.0], [0.25, 0.75]),
    ([4.8, 4.8, 0.0], [0.2, 0.6, 0.2]),
]

PREFIX = Text(
    "Step t gives row t of causal attention: the new token attends to itself and to all tokens before it.",
    "第 t 步给出因果注意力的第 t 行：新词元关注自己以及之前的所有词元。",
)


@chinese("每一步都与因果注意力相同")
def test_each_step_equals_causal_attention(student):
    """Three tokens: the weights grow by one key with each of them."""
    cache = student.CachedAttention(W_Q, W_K, W_V)
    for token, want in zip(TOKENS, STEPS, strict=True):
        expect(cache.step(token)).to_match(want, "output", "weights", because=PREFIX)


@chinese("重置之后是新的句子")
def test_reset_starts_a_new_sentence(student):
    """After a reset the next token is the first one again."""
    cache = student.CachedAttention(W_Q, W_K, W_V)
    cache.step(TOKENS[1])
    cache.step(TOKENS[2])
    cache.reset()
    for token, want in zip(TOKENS, STEPS, strict=True):
        expect(cache.step(token)).to_match(
            want,
            "output",
            "weights",
            because=Text("After reset() nothing of the tokens before it is left.", "reset() 之后，之前的词元不再留下任何东西。"),
        )


@chinese("两个缓存互不相干")
def test_two_caches_share_nothing(student):
    """Two sentences in turns, each with a cache of its own."""
    one, other = student.CachedAttention(W_Q, W_K, W_V), student.CachedAttention(W_Q, W_K, W_V)
    for token, want in zip(TOKENS, STEPS, strict=True):
        for cache in (one, other):
            expect(cache.step(token)).to_match(
                want, "output", "weights", because=Text("Every object has a cache of its own.", "每个对象都有自己的缓存。")
            )


@chinese("返回的结果以后不变")
def test_results_stay_as_they_were(student):
    """What a step returned does not change with later steps, and what the caller does to it changes no later step."""
    cache = student.CachedAttention(W_Q, W_K, W_V)
    stays = Text("Return arrays that nothing else writes into later.", "返回的数组之后不应再被其他代码写入。")
    first, second = cache.step(TOKENS[0]), cache.step(TOKENS[1])
    expect(first).to_match(STEPS[0], "output", "weights", because=stays)
    expect(second).to_match(STEPS[1], "output", "weights", because=stays)
    for part in (*first.value, *second.value):
        if isinstance(part, np.ndarray) and part.flags.writeable:
            part[...] = 99.0
    expect(cache.step(TOKENS[2])).to_match(STEPS[2], "output", "weights", because=stays)


@chinese("很大的分数不会溢出")
def test_large_scores_do_not_overflow(student):
    """Scores of 5000 and -5000."""
    cache = student.CachedAttention(np.array([[100.0]]), np.array([[100.0]]), np.array([[1.0]]))
    cache.step(np.array([-0.5]))
    expect(cache.step(np.array([1.0]))).to_match(
        ([1.0], [0.0, 1.0]),
        "output",
        "weights",
        because=Text("Large scores give all the weight to the best key.", "分数很大时，全部权重落在最匹配的键上。"),
    )
