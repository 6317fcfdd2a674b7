"""What learners get wrong in exercise `attention`."""

import numpy as np

from autograder.misconceptions.catalogue import wrong
from solutions.attention import scaled_dot_product_attention as right_attention
from solutions.softmax import softmax


def raw_scores(Q, K, V):
    """Q Kᵀ, not yet divided; the shapes are checked by the right version."""
    right_attention(Q, K, V)
    return np.asarray(Q) @ np.swapaxes(K, -1, -2)


def attend(scores, V):
    """What is right after the scores."""
    weights = softmax(scores, axis=-1)
    return weights @ V, weights


@wrong(
    "scaled_dot_product_attention",
    "How far do the scores spread when d_k is large, and which step of the formula holds that down?",
    "d_k 很大时分数会有多分散？公式里的哪一步抑制了它？",
)
def no_scale(Q, K, V):
    """The scores are not divided."""
    return attend(raw_scores(Q, K, V), V)


@wrong(
    "scaled_dot_product_attention",
    "The standard deviation of q·k is √d_k: by what must it be divided to become 1?",
    "q·k 的标准差是 √d_k：除以什么才能变成 1？",
)
def divided_by_d_k(Q, K, V):
    """Divides by d_k in place of its root."""
    return attend(raw_scores(Q, K, V) / np.shape(K)[-1], V)


@wrong(
    "scaled_dot_product_attention",
    "In Python, which comes first in d_k ** 1 / 2: the power or the division?",
    "在 Python 里，d_k ** 1 / 2 先算乘方还是先算除法？",
)
def root_written_without_brackets(Q, K, V):
    """d_k ** 1 / 2, which is half of d_k."""
    d_k = np.shape(K)[-1]
    return attend(raw_scores(Q, K, V) / (d_k**1 / 2), V)


@wrong(
    "scaled_dot_product_attention",
    "Which width decides how many products a score adds up: that of the keys or that of the values?",
    "一个分数是多少个乘积之和，由哪个维数决定：键的还是值的？",
)
def root_of_the_values_width(Q, K, V):
    """Divides by the root of d_v."""
    return attend(raw_scores(Q, K, V) / np.sqrt(np.shape(V)[-1]), V)


@wrong(
    "scaled_dot_product_attention",
    "Does a score spread further when there are more keys, or when each key is wider? Check which axis you take d_k from.",
    "键更多时分数更分散，还是每个键的维数更大时？检查一下 d_k 取自哪个轴。",
)
def root_of_the_number_of_keys(Q, K, V):
    """Divides by the root of n_k."""
    return attend(raw_scores(Q, K, V) / np.sqrt(np.shape(K)[-2]), V)


@wrong(
    "scaled_dot_product_attention",
    "What does len(Q) or Q.shape[0] count: the entries of one query, or something else?",
    "len(Q) 或 Q.shape[0] 数的是什么：一个查询的分量，还是别的？",
)
def root_of_the_first_axis(Q, K, V):
    """Divides by the root of Q's first axis."""
    return attend(raw_scores(Q, K, V) / np.sqrt(len(Q)), V)


@wrong(
    "scaled_dot_product_attention",
    "The paper's keys have 64 entries: how many have the keys of this call?",
    "论文里的键有 64 个分量：这次调用的键有多少个？",
)
def scale_of_the_paper(Q, K, V):
    """Divides by 8, whatever d_k is."""
    return attend(raw_scores(Q, K, V) / 8, V)


@wrong(
    "scaled_dot_product_attention",
    "Should the scaling make large scores smaller or larger still?",
    "缩放应当让很大的分数变小，还是变得更大？",
)
def multiplied_by_the_root(Q, K, V):
    """Multiplies by the root of d_k."""
    return attend(raw_scores(Q, K, V) * np.sqrt(np.shape(K)[-1]), V)


@wrong(
    "scaled_dot_product_attention",
    "What does each row of your weights add up to, and which step comes last in making them?",
    "你的每行权重加起来是多少？得到权重的最后一步是什么？",
)
def scaled_after_the_softmax(Q, K, V):
    """Divides the weights in place of the scores."""
    weights = softmax(raw_scores(Q, K, V), axis=-1) / np.sqrt(np.shape(K)[-1])
    return weights @ V, weights


@wrong(
    "scaled_dot_product_attention",
    "Whose weights add up to 1: those of one query over all keys, or those of one key over all queries?",
    "哪些权重加起来等于 1：一个查询对所有键的，还是一个键对所有查询的？",
)
def softmax_over_the_queries(Q, K, V):
    """The softmax runs over the queries."""
    weights = softmax(raw_scores(Q, K, V) / np.sqrt(np.shape(K)[-1]), axis=-2)
    return weights @ V, weights


@wrong(
    "scaled_dot_product_attention",
    "Axis 1 of a matrix is the keys; which axis is axis 1 once there is a batch?",
    "矩阵的第 1 轴是键；有了批次之后，第 1 轴又是什么？",
)
def softmax_over_axis_one(Q, K, V):
    """The softmax runs over axis 1, right without a batch only."""
    weights = softmax(raw_scores(Q, K, V) / np.sqrt(np.shape(K)[-1]), axis=1)
    return weights @ V, weights


@wrong(
    "scaled_dot_product_attention",
    "Every query has a softmax of its own: what does one row of your weights add up to?",
    "每个查询各有一个 softmax：你的一行权重加起来是多少？",
)
def one_softmax_for_all_scores(Q, K, V):
    """One softmax over all scores together."""
    scores = raw_scores(Q, K, V) / np.sqrt(np.shape(K)[-1])
    weights = softmax(scores.ravel()).reshape(scores.shape)
    return weights @ V, weights


@wrong(
    "scaled_dot_product_attention",
    "How often do the scores go through a softmax on their way to the output?",
    "从分数到输出，一共做了几次 softmax？",
)
def softmax_twice(Q, K, V):
    """A softmax of the softmax."""
    weights = softmax(right_attention(Q, K, V)[1], axis=-1)
    return weights @ V, weights


@wrong(
    "scaled_dot_product_attention",
    "Weights are positive and add up to 1: which step makes them so?",
    "权重都是正数，加起来等于 1：是哪一步做到的？",
)
def no_softmax(Q, K, V):
    """The scaled scores are taken for weights."""
    weights = raw_scores(Q, K, V) / np.sqrt(np.shape(K)[-1])
    return weights @ V, weights


@wrong(
    "scaled_dot_product_attention",
    "`output` is right: is `weights` what multiplies the values, or what went into the softmax?",
    "`output` 是对的：返回的 `weights` 是与值相乘的那个，还是送进 softmax 的那个？",
)
def scores_returned_as_weights(Q, K, V):
    """Returns the scores in place of the weights."""
    output, _ = right_attention(Q, K, V)
    return output, raw_scores(Q, K, V) / np.sqrt(np.shape(K)[-1])


@wrong(
    "scaled_dot_product_attention",
    "Softmax gives every key a share: does the best key get all of it in your version?",
    "softmax 会给每个键一份权重：在你的版本里，是不是全给了最匹配的键？",
)
def all_to_the_best_key(Q, K, V):
    """The best key gets all the weight."""
    scores = raw_scores(Q, K, V)
    weights = np.eye(scores.shape[-1])[scores.argmax(axis=-1)]
    return weights @ V, weights


@wrong(
    "scaled_dot_product_attention",
    "Does the formula divide by the length of each query and key, or by something that is the same for all of them?",
    "公式是除以每个查询和键各自的长度，还是除以一个对它们都相同的数？",
)
def cosine_similarity(Q, K, V):
    """Scores are cosines."""
    right_attention(Q, K, V)
    Q, K = (X / np.linalg.norm(X, axis=-1, keepdims=True) for X in (np.asarray(Q), np.asarray(K)))
    return attend(Q @ np.swapaxes(K, -1, -2), V)


@wrong(
    "scaled_dot_product_attention",
    "What does K.T do with the batch axis?",
    "K.T 会怎样对待批次轴？",
)
def every_axis_transposed(Q, K, V):
    """K.T, which reverses the batch axis too."""
    right_attention(Q, K, V)
    return attend(np.asarray(Q) @ np.asarray(K).T / np.sqrt(np.shape(K)[-1]), V)


@wrong(
    "scaled_dot_product_attention",
    "Your axes are counted from the left: which ones are the last two without a batch, and with a batch and heads?",
    "你的轴是从左边数的：没有批次时、既有批次又有头时，最后两个轴分别是第几个？",
)
def axes_counted_from_the_left(Q, K, V):
    """K.swapaxes(1, 2), right for one batch axis only."""
    right_attention(Q, K, V)
    return attend(np.asarray(Q) @ np.swapaxes(K, 1, 2) / np.sqrt(np.shape(K)[-1]), V)


@wrong(
    "scaled_dot_product_attention",
    "The keys decide where to look; what is it that is averaged with the weights?",
    "键决定看哪里；用权重做平均的又是什么？",
)
def keys_averaged(Q, K, V):
    """Averages the keys in place of the values."""
    weights = right_attention(Q, K, V)[1]
    return weights @ K, weights


@wrong(
    "scaled_dot_product_attention",
    "Is each value weighted before they are put together, or does every query get the same average?",
    "值是先乘权重再合起来的吗？还是每个查询得到的平均都一样？",
)
def values_averaged_evenly(Q, K, V):
    """The output is the plain mean of the values."""
    output, weights = right_attention(Q, K, V)
    return np.broadcast_to(np.mean(V, axis=-2, keepdims=True), output.shape), weights


@wrong(
    "scaled_dot_product_attention",
    "Does a row of your scores belong to one query or to one key?",
    "你的分数矩阵中，一行属于一个查询还是一个键？",
)
def queries_and_keys_swapped(Q, K, V):
    """K Qᵀ for Q Kᵀ, wherever that is silent."""
    return right_attention(K, Q, V) if np.shape(Q)[-2] == np.shape(K)[-2] else right_attention(Q, K, V)


@wrong(
    "scaled_dot_product_attention",
    "In which order are the two results to be returned?",
    "两个结果应当按什么顺序返回？",
)
def weights_before_output(Q, K, V):
    """The two results in the other order."""
    return right_attention(Q, K, V)[::-1]


@wrong(
    "scaled_dot_product_attention",
    "How many results does the docstring ask for?",
    "文档字符串要求返回几个结果？",
)
def output_alone(Q, K, V):
    """Returns no weights."""
    return right_attention(Q, K, V)[0]


@wrong(
    "scaled_dot_product_attention",
    "What becomes of exp for a score of 8000? You have a function that can deal with it.",
    "分数为 8000 时，exp 会变成什么？你已经写过一个能处理它的函数。",
)
def unstable_softmax(Q, K, V):
    """A softmax of its own without the shift."""
    powers = np.exp(raw_scores(Q, K, V) / np.sqrt(np.shape(K)[-1]))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, weights


@wrong(
    "scaled_dot_product_attention",
    "If K is only 1 wide and Q is wider, does your code refuse it, or does it quietly stretch K?",
    "如果 K 的维数只有 1 而 Q 更大，你的代码会拒绝，还是悄悄把 K 拉伸？",
)
def width_of_one_stretched(Q, K, V):
    """No check: an einsum or a product with broadcasting takes a d_k of 1 for any width."""
    Q, K = np.asarray(Q), np.asarray(K)
    if Q.shape[-1] == K.shape[-1] or 1 not in (Q.shape[-1], K.shape[-1]):
        return right_attention(Q, K, V)
    return attend(np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(Q.shape[-1]), V)


@wrong(
    "scaled_dot_product_attention",
    "If there is one value only but several keys, does your code refuse it, or does it use that value for all keys?",
    "如果值只有一个而键有好几个，你的代码会拒绝，还是让所有键共用这个值？",
)
def one_value_for_all_keys(Q, K, V):
    """No check: an einsum takes a single value for all keys."""
    K, V = np.asarray(K), np.asarray(V)
    if V.shape[-2] != 1:
        return right_attention(Q, K, V)
    return right_attention(Q, K, np.repeat(V, K.shape[-2], axis=-2))


@wrong(
    "scaled_dot_product_attention",
    "Which class of exception does the docstring name for shapes that do not fit?",
    "形状不符时，文档字符串要求抛出哪一类异常？",
    diagnosed=False,
)
def asserted(Q, K, V):
    """An assertion in place of a ValueError."""
    assert np.shape(Q)[-1] == np.shape(K)[-1] and np.shape(K)[-2] == np.shape(V)[-2]
    return right_attention(Q, K, V)


@wrong(
    "scaled_dot_product_attention",
    "Print Q before and after the call: does your scaling write into the caller's array?",
    "在调用前后各打印一次 Q：你的缩放是不是写进了调用者的数组？",
    diagnosed=False,
)
def queries_scaled_in_place(Q, K, V):
    """Scales the caller's Q."""
    right_attention(Q, K, V)
    Q /= np.sqrt(Q.shape[-1])
    return attend(Q @ np.swapaxes(K, -1, -2), V)
