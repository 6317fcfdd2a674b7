"""What learners get wrong in exercise `patterns`."""

import numpy as np

from autograder.misconceptions.catalogue import wrong
from solutions.patterns import attention_entropy as right_entropy
from solutions.patterns import js_divergence as right_divergence


def terms(p, m):
    """The terms p ln(p / m) of a divergence, 0 where p is 0, as they should be."""
    p, m = np.broadcast_arrays(np.asarray(p, dtype=float), np.asarray(m, dtype=float))
    return p * np.log(np.divide(p, m, out=np.ones(p.shape), where=p > 0))


def halves(P, Q):
    """The terms of JS before they are summed, as they should be."""
    M = (np.asarray(P) + np.asarray(Q)) / 2
    return (terms(P, M) + terms(Q, M)) / 2


def same_length(X_a, X_b):
    """Refuses sentences of different length, as it should be."""
    if len(X_a) != len(X_b):
        raise ValueError("the sentences differ in length")


def comparison(weights_a, weights_b, **other):
    """The right dictionary of two sentences' weights, but for the entries in `other`."""
    return {
        "weights_a": weights_a,
        "weights_b": weights_b,
        "entropy_a": right_entropy(weights_a),
        "entropy_b": right_entropy(weights_b),
        "divergence": right_divergence(weights_a, weights_b),
        "same_top_key": np.argmax(weights_a, axis=-1) == np.argmax(weights_b, axis=-1),
        **other,
    }


@wrong("attention_entropy", "Which logarithm counts in nats?", "以 nat 为单位时用哪种对数？")
def entropy_in_bits(weights):
    """log2."""
    return right_entropy(weights) / np.log(2)


@wrong(
    "attention_entropy",
    "To which base must the logarithm be, so that two equal weights give 0.693?",
    "要让两个相等的权重得到 0.693，对数应取什么底？",
)
def entropy_to_base_ten(weights):
    """log10."""
    return right_entropy(weights) / np.log(10)


@wrong(
    "attention_entropy",
    "What does NumPy make of 0 * log(0), and what should it count as?",
    "NumPy 把 0 * log(0) 算成什么？它应当按多少计算？",
)
def entropy_nan_at_zero(weights):
    """0 * log 0 is NaN."""
    weights = np.asarray(weights)
    return -(weights * np.log(weights)).sum(axis=-1)


@wrong(
    "attention_entropy",
    "If only one weight of a row is 0, is the entropy of the whole row 0?",
    "如果一行中只有一个权重是 0，整行的熵就是 0 吗？",
)
def entropy_of_a_row_with_a_zero_is_zero(weights):
    """NaN is replaced after the sum."""
    return np.nan_to_num(entropy_nan_at_zero(weights), nan=0.0)


@wrong(
    "attention_entropy",
    "What does the number that you add inside the logarithm do to the weights that are not 0?",
    "你在对数里加的那个小数，对不为 0 的权重有什么影响？",
)
def entropy_with_a_large_epsilon(weights):
    """log(w + 0.001)."""
    weights = np.asarray(weights)
    return -(weights * np.log(weights + 1e-3)).sum(axis=-1)


@wrong("attention_entropy", "Can an entropy be negative?", "熵可能是负数吗？")
def entropy_without_the_sign(weights):
    """The minus is missing."""
    return -right_entropy(weights)


@wrong("attention_entropy", "How many entropies must come out for a matrix with n_q rows?", "一个有 n_q 行的矩阵，应当得到多少个熵？")
def one_entropy_for_all_rows(weights):
    """Summed over everything."""
    return np.sum(right_entropy(weights))


@wrong(
    "attention_entropy",
    "Whose weights add up to 1, and so have an entropy: those of a row or those of a column?",
    "加起来等于 1、因而有熵可言的，是一行的权重还是一列的权重？",
)
def entropy_of_the_columns(weights):
    """Summed over the queries."""
    weights = np.asarray(weights)
    return -terms(weights, 1.0).sum(axis=-2) if weights.ndim > 1 else right_entropy(weights)


@wrong(
    "attention_entropy",
    "You number the axis of the keys from the left: is it the last one for a matrix and for a batch alike?",
    "你从左边数键所在的轴：对单个矩阵和一个批次，它都是最后一个轴吗？",
)
def entropy_along_axis_one(weights):
    """axis=1: right for a single matrix."""
    weights = np.asarray(weights)
    return -terms(weights, 1.0).sum(axis=1)


@wrong(
    "attention_entropy",
    "Each query looks in its own way: may their entropies be averaged here?",
    "每个查询的关注方式各不相同：这里可以把它们的熵取平均吗？",
)
def entropy_averaged_over_the_queries(weights):
    """One value for all queries."""
    entropy = right_entropy(weights)
    return entropy.mean(axis=-1) if np.ndim(entropy) else entropy


@wrong(
    "attention_entropy",
    "The weights already are the shares of an average: what do you divide by once more?",
    "权重本身就是平均时的占比：你又除以了什么？",
)
def entropy_as_a_mean_over_the_keys(weights):
    """mean in place of sum."""
    return right_entropy(weights) / np.shape(weights)[-1]


@wrong("attention_entropy", "What is the entropy of n equal weights: 1, or does it grow with n?", "n 个相等权重的熵是 1，还是随 n 增大？")
def entropy_as_a_share_of_the_largest(weights):
    """Divided by ln n."""
    return right_entropy(weights) / np.log(np.shape(weights)[-1])


@wrong("attention_entropy", "By what must each logarithm be multiplied before the sum?", "求和之前，每个对数还要乘以什么？")
def entropy_of_the_logarithms_alone(weights):
    """Sums -ln w without the factor w."""
    weights = np.asarray(weights)
    return -np.log(np.where(weights > 0, weights, 1.0)).sum(axis=-1)


@wrong("attention_entropy", "By what do you divide in a row that is nothing but zeros?", "对于全为零的一行，你除以的是什么？")
def entropy_of_rows_made_to_add_up(weights):
    """Divides each row by its sum first: a row of zeros is NaN."""
    weights = np.asarray(weights)
    total = weights.sum(axis=-1)
    return np.where(total == 0, np.nan, right_entropy(weights))


@wrong("js_divergence", "Is your divergence the same when P and Q change places?", "交换 P 和 Q，你的散度还一样吗？")
def kl_in_place_of_js(P, Q):
    """KL(p, q)."""
    P, Q = np.asarray(P), np.asarray(Q)
    ratio = np.divide(P, Q, out=np.full(P.shape, np.inf), where=Q > 0)
    return (P * np.log(np.where(P > 0, ratio, 1.0))).sum(axis=-1)


@wrong(
    "js_divergence",
    "With what is each of the two distributions compared: with the other one, or with something between?",
    "两个分布各自与谁比较：与对方，还是与两者之间的某个分布？",
)
def symmetric_kl_in_place_of_js(P, Q):
    """The mean of KL(p, q) and KL(q, p)."""
    return (kl_in_place_of_js(P, Q) + kl_in_place_of_js(Q, P)) / 2


@wrong(
    "js_divergence", "Two rows with nothing in common have ln 2: what do yours have?", "毫无共同之处的两行，散度是 ln 2：你的结果是多少？"
)
def js_without_the_halves(P, Q):
    """KL(p, m) + KL(q, m)."""
    return 2 * halves(P, Q).sum(axis=-1)


@wrong("js_divergence", "Is what you return the divergence or the distance?", "你返回的是散度还是距离？")
def js_distance(P, Q):
    """The square root."""
    return np.sqrt(np.maximum(halves(P, Q).sum(axis=-1), 0.0))


@wrong("js_divergence", "Which logarithm counts in nats?", "以 nat 为单位时用哪种对数？")
def js_in_bits(P, Q):
    """log2."""
    return halves(P, Q).sum(axis=-1) / np.log(2)


@wrong("js_divergence", "Do the numbers of your m add up to 1?", "你的 m 加起来等于 1 吗？")
def mean_not_halved(P, Q):
    """m = p + q."""
    M = np.asarray(P) + np.asarray(Q)
    return (terms(P, M) + terms(Q, M)).sum(axis=-1) / 2


@wrong("js_divergence", "Both distributions are compared with m: where is the second one?", "两个分布都要与 m 比较：第二个在哪里？")
def one_side_of_js(P, Q):
    """KL(p, m) alone."""
    return terms(P, (np.asarray(P) + np.asarray(Q)) / 2).sum(axis=-1)


@wrong("js_divergence", "In KL(p, m), whose numbers stand in front of the logarithm?", "在 KL(p, m) 中，对数前面的因子是谁的？")
def mean_in_front_of_the_logarithm(P, Q):
    """KL(m, p) and KL(m, q)."""
    M = (np.asarray(P) + np.asarray(Q)) / 2
    return (kl_in_place_of_js(M, P) + kl_in_place_of_js(M, Q)) / 2


@wrong("js_divergence", "What does NumPy make of a term in which the weight is 0?", "权重为 0 的那一项，NumPy 会算成什么？")
def js_nan_at_zero(P, Q):
    """0 * log 0 is NaN."""
    P, Q = np.asarray(P), np.asarray(Q)
    M = (P + Q) / 2
    return (P * np.log(P / M) + Q * np.log(Q / M)).sum(axis=-1) / 2


@wrong(
    "js_divergence",
    "If a key has weight in one row alone, does that make the rows more alike or less?",
    "某个键只在其中一行有权重，这会让两行更相似还是更不同？",
)
def keys_with_a_zero_left_out(P, Q):
    """Counts only the keys that both rows look at."""
    return np.where((np.asarray(P) > 0) & (np.asarray(Q) > 0), halves(P, Q), 0.0).sum(axis=-1)


@wrong(
    "js_divergence",
    "What does the small number that you add do to weights of ordinary size?",
    "你加的那个小数，对普通大小的权重有什么影响？",
)
def js_with_a_large_epsilon(P, Q):
    """0.001 is added to every weight."""
    return halves(np.asarray(P) + 1e-3, np.asarray(Q) + 1e-3).sum(axis=-1)


@wrong("js_divergence", "How many divergences must come out for two matrices with n_q rows?", "两个各有 n_q 行的矩阵，应当得到多少个散度？")
def one_divergence_for_all_rows(P, Q):
    """Summed over everything."""
    return halves(P, Q).sum()


@wrong(
    "js_divergence",
    "Whose weights are a distribution: those of a row or those of a column?",
    "哪些权重构成一个分布：一行的，还是一列的？",
)
def js_of_the_columns(P, Q):
    """Summed over the queries."""
    found = halves(P, Q)
    return found.sum(axis=-2 if found.ndim > 1 else -1)


@wrong(
    "js_divergence",
    "You number the axis of the keys from the left: is it the last one for a matrix and for a batch alike?",
    "你从左边数键所在的轴：对单个矩阵和一个批次，它都是最后一个轴吗？",
)
def js_along_axis_one(P, Q):
    """axis=1: right for a single matrix."""
    return halves(P, Q).sum(axis=1)


@wrong(
    "js_divergence",
    "If only one weight of a row is 0, is its whole divergence 0?",
    "如果一行中只有一个权重是 0，整行的散度就是 0 吗？",
)
def js_of_a_row_with_a_zero_is_zero(P, Q):
    """NaN is replaced after the sum."""
    return np.nan_to_num(js_nan_at_zero(P, Q), nan=0.0)


@wrong(
    "js_divergence",
    "Each query changes in its own way: may their divergences be averaged here?",
    "每个查询的变化各不相同：这里可以把它们的散度取平均吗？",
)
def js_averaged_over_the_queries(P, Q):
    """One value for all queries."""
    found = halves(P, Q).sum(axis=-1)
    return found.mean(axis=-1) if np.ndim(found) else found


@wrong("js_divergence", "A divergence is a sum over the keys: what do you divide by at the end?", "散度是对键求和：你最后除以了什么？")
def js_as_a_mean_over_the_keys(P, Q):
    """mean in place of sum."""
    return halves(P, Q).mean(axis=-1)


@wrong(
    "js_divergence",
    "Two rows can be equally sharp and look at different keys: what is your result then?",
    "两行可能同样集中，却关注不同的键：这时你的结果是多少？",
)
def difference_of_the_entropies(P, Q):
    """|H(p) - H(q)|."""
    return np.abs(right_entropy(P) - right_entropy(Q))


@wrong("js_divergence", "Where is the logarithm in your formula?", "你的公式里，对数在哪里？")
def total_variation(P, Q):
    """Half the sum of the absolute differences."""
    return np.abs(np.asarray(P) - np.asarray(Q)).sum(axis=-1) / 2


@wrong("compare_sentences", "Which of the two things that `attend` returns do you keep?", "`attend` 返回两个结果，你保留的是哪一个？")
def output_taken_for_the_weights(attend, X_a, X_b):
    """The first result of `attend` in place of the second."""
    same_length(X_a, X_b)
    return comparison(np.asarray(attend(X_a)[0]), np.asarray(attend(X_b)[0]))


@wrong("compare_sentences", "How many sentences may `attend` see in one call?", "`attend` 一次调用可以看到几个句子？")
def both_sentences_as_one(attend, X_a, X_b):
    """One call with both sentences, one after the other."""
    same_length(X_a, X_b)
    n = len(X_a)
    weights = np.asarray(attend(np.concatenate([X_a, X_b]))[1])
    return comparison(weights[..., :n, :n], weights[..., n:, n:])


@wrong("compare_sentences", "`attend` takes one sentence (n, d): what do you pass?", "`attend` 接收一个句子 (n, d)：你传的是什么？")
def both_sentences_as_a_batch(attend, X_a, X_b):
    """One call with a batch of two."""
    same_length(X_a, X_b)
    weights_a, weights_b = attend(np.stack([X_a, X_b]))[1]
    return comparison(weights_a, weights_b)


@wrong("compare_sentences", "What happens to the heads' axis, where the weights have one?", "如果权重带有头的轴，它到哪里去了？")
def heads_averaged_first(attend, X_a, X_b):
    """The weights are averaged over the leading axes."""
    same_length(X_a, X_b)
    weights_a, weights_b = (np.asarray(attend(X)[1]) for X in (X_a, X_b))
    leading = tuple(range(weights_a.ndim - 2))
    return comparison(weights_a.mean(axis=leading), weights_b.mean(axis=leading))


@wrong(
    "compare_sentences",
    "Is it a key that you look for to each query, or a query to each key?",
    "你是在为每个查询找键，还是在为每个键找查询？",
)
def top_query_of_each_key(attend, X_a, X_b):
    """argmax over the queries."""
    same_length(X_a, X_b)
    weights_a, weights_b = (np.asarray(attend(X)[1]) for X in (X_a, X_b))
    return comparison(weights_a, weights_b, same_top_key=np.argmax(weights_a, axis=-2) == np.argmax(weights_b, axis=-2))


@wrong(
    "compare_sentences",
    "You number the axis of the keys from the left: where is it when the weights have an axis for the heads?",
    "你从左边数键所在的轴：权重带有头的轴时，它在哪里？",
)
def top_key_along_axis_one(attend, X_a, X_b):
    """argmax along axis 1: right without heads."""
    same_length(X_a, X_b)
    weights_a, weights_b = (np.asarray(attend(X)[1]) for X in (X_a, X_b))
    return comparison(weights_a, weights_b, same_top_key=np.argmax(weights_a, axis=1) == np.argmax(weights_b, axis=1))


@wrong("compare_sentences", "For how many queries does `same_top_key` have to answer?", "`same_top_key` 需要为多少个查询给出答案？")
def one_top_key_of_the_matrix(attend, X_a, X_b):
    """argmax over the whole matrix."""
    same_length(X_a, X_b)
    weights_a, weights_b = (np.asarray(attend(X)[1]) for X in (X_a, X_b))
    return comparison(weights_a, weights_b, same_top_key=np.argmax(weights_a) == np.argmax(weights_b))


@wrong("compare_sentences", "Do you compare how large the largest weight is, or where it is?", "你比较的是最大权重的大小，还是它的位置？")
def largest_weights_compared(attend, X_a, X_b):
    """max in place of argmax."""
    same_length(X_a, X_b)
    weights_a, weights_b = (np.asarray(attend(X)[1]) for X in (X_a, X_b))
    return comparison(weights_a, weights_b, same_top_key=np.isclose(weights_a.max(axis=-1), weights_b.max(axis=-1)))


@wrong(
    "compare_sentences",
    "Is the top key the index of a key, or does the dictionary want to know something about two of them?",
    "字典里要的是键的下标，还是对两个下标的判断？",
)
def index_of_the_top_key(attend, X_a, X_b):
    """The index in sentence a in place of a bool."""
    same_length(X_a, X_b)
    weights_a, weights_b = (np.asarray(attend(X)[1]) for X in (X_a, X_b))
    return comparison(weights_a, weights_b, same_top_key=np.argmax(weights_a, axis=-1))


@wrong(
    "compare_sentences",
    "What should happen when one sentence is longer than the other?",
    "如果一个句子比另一个长，应该怎么办？",
    diagnosed=False,
)
def longer_sentence_cut(attend, X_a, X_b):
    """No error: the longer sentence is cut."""
    n = min(len(X_a), len(X_b))
    return comparison(attend(X_a[:n])[1], attend(X_b[:n])[1])
