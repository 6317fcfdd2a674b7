"""What learners get wrong in exercise `backward`."""

import numpy as np

from autograder.misconceptions.catalogue import wrong
from solutions.backward import attention_backward as right
from solutions.masking import masked_attention, masked_softmax


def T(x):
    """The last two axes change places."""
    return np.swapaxes(x, -1, -2)


def finish(weights, d_scores, d_output, Q, K):
    """(dQ, dK, dV) from the gradients of the scores, with the right factor."""
    d_scores = d_scores / np.sqrt(Q.shape[-1])
    return d_scores @ K, T(d_scores) @ Q, T(weights) @ d_output


def forward(d_output, Q, K, V, mask):
    """The right weights and their right gradients."""
    return masked_attention(Q, K, V, mask)[1], d_output @ T(V)


@wrong(
    "attention_backward",
    "One score moves all weights of its row. Where do the other weights come in?",
    "一个分数会牵动它那一行的所有权重。其他权重体现在你的公式的哪里？",
)
def weights_taken_for_independent(d_output, Q, K, V, mask=None):
    """d_scores = weights * d_weights, without the row's sum."""
    weights, d_weights = forward(d_output, Q, K, V, mask)
    return finish(weights, weights * d_weights, d_output, Q, K)


@wrong(
    "attention_backward",
    "The softmax's Jacobian has entries beside its diagonal. What became of them?",
    "softmax 的雅可比矩阵在对角线之外也有元素，它们到哪里去了？",
)
def diagonal_of_the_jacobian_alone(d_output, Q, K, V, mask=None):
    """d_scores = weights * (1 - weights) * d_weights, as for a sigmoid."""
    weights, d_weights = forward(d_output, Q, K, V, mask)
    return finish(weights, weights * (1 - weights) * d_weights, d_output, Q, K)


@wrong(
    "attention_backward",
    "Is the number that you subtract from d_weights their average by the weights, or their plain sum?",
    "你从 d_weights 中减去的，是按权重的加权平均，还是直接求和？",
)
def plain_sum_subtracted(d_output, Q, K, V, mask=None):
    """Subtracts the sum of d_weights, not of weights * d_weights."""
    weights, d_weights = forward(d_output, Q, K, V, mask)
    return finish(weights, weights * (d_weights - d_weights.sum(axis=-1, keepdims=True)), d_output, Q, K)


@wrong(
    "attention_backward",
    "The weights add up to 1 already. Is another division by the number of keys due?",
    "权重加起来已经是 1，还需要再除以键的个数吗？",
)
def mean_of_the_row_subtracted(d_output, Q, K, V, mask=None):
    """Subtracts the mean of weights * d_weights in place of the sum."""
    weights, d_weights = forward(d_output, Q, K, V, mask)
    along = (weights * d_weights).mean(axis=-1, keepdims=True)
    return finish(weights, weights * (d_weights - along), d_output, Q, K)


@wrong(
    "attention_backward",
    "Over which axis did the softmax run in the forward pass, and over which do you add up now?",
    "前向时 softmax 沿哪个轴计算？现在你又沿哪个轴求和？",
)
def sum_over_the_queries(d_output, Q, K, V, mask=None):
    """The sum runs along the columns."""
    weights, d_weights = forward(d_output, Q, K, V, mask)
    along = (weights * d_weights).sum(axis=-2, keepdims=True)
    return finish(weights, weights * (d_weights - along), d_output, Q, K)


@wrong(
    "attention_backward",
    "If all d_weights of a row grow by the same number, what should happen to d_scores? Try it with your sign.",
    "一行的 d_weights 都加上同一个数，d_scores 应当怎样变化？用你的符号试一试。",
)
def sum_added(d_output, Q, K, V, mask=None):
    """A plus in place of the minus."""
    weights, d_weights = forward(d_output, Q, K, V, mask)
    along = (weights * d_weights).sum(axis=-1, keepdims=True)
    return finish(weights, weights * (d_weights + along), d_output, Q, K)


@wrong(
    "attention_backward",
    "How much should the score of a key with weight 0 matter?",
    "权重为 0 的键，它的分数应当有多大影响？",
)
def no_weights_in_front(d_output, Q, K, V, mask=None):
    """d_scores = d_weights - sum, without the factor weights."""
    weights, d_weights = forward(d_output, Q, K, V, mask)
    return finish(weights, d_weights - (weights * d_weights).sum(axis=-1, keepdims=True), d_output, Q, K)


@wrong(
    "attention_backward",
    "Between the scores and the weights stands a function. What is its gradient in your code?",
    "分数与权重之间隔着一个函数。在你的代码里，它的梯度在哪里？",
)
def softmax_skipped(d_output, Q, K, V, mask=None):
    """Takes the gradients of the weights for those of the scores."""
    weights, d_weights = forward(d_output, Q, K, V, mask)
    return finish(weights, d_weights, d_output, Q, K)


@wrong(
    "attention_backward",
    "The scores were divided on the way forward. What does that do to the gradients on the way back?",
    "前向时分数做过除法。反向时这会给梯度带来什么？",
)
def factor_missing(d_output, Q, K, V, mask=None):
    """The factor 1 / sqrt(d_k) is missing in dQ and dK."""
    dQ, dK, dV = right(d_output, Q, K, V, mask)
    root = np.sqrt(Q.shape[-1])
    return dQ * root, dK * root, dV


@wrong(
    "attention_backward",
    "How often were the scores divided by √d_k on the way forward?",
    "前向时分数除以了几次 √d_k？",
)
def factor_twice(d_output, Q, K, V, mask=None):
    """Divides dQ and dK by d_k."""
    dQ, dK, dV = right(d_output, Q, K, V, mask)
    root = np.sqrt(Q.shape[-1])
    return dQ / root, dK / root, dV


@wrong(
    "attention_backward",
    "If y = x / 2, is the gradient of x twice or half that of y?",
    "若 y = x / 2，x 的梯度是 y 的梯度的两倍还是一半？",
)
def factor_multiplied(d_output, Q, K, V, mask=None):
    """Multiplies by the root of d_k where it was divided."""
    dQ, dK, dV = right(d_output, Q, K, V, mask)
    return dQ * Q.shape[-1], dK * Q.shape[-1], dV


@wrong(
    "attention_backward",
    "Which rows of d_output does value j belong to: row j, or those of all queries that looked at it?",
    "第 j 个值与 d_output 的哪些行有关：第 j 行，还是所有看过它的查询那些行？",
    diagnosed=False,
)
def weights_not_transposed_in_dv(d_output, Q, K, V, mask=None):
    """dV = weights @ d_output; it only runs where n_q = n_k, so that it cannot be told from any other crash."""
    dQ, dK, _ = right(d_output, Q, K, V, mask)
    return dQ, dK, masked_attention(Q, K, V, mask)[1] @ d_output


@wrong(
    "attention_backward",
    "d_scores has a row for each query. Which of its axes has to go when the gradient of the keys is due?",
    "d_scores 每行对应一个查询。求键的梯度时，应当消去它的哪个轴？",
    diagnosed=False,
)
def scores_not_transposed_in_dk(d_output, Q, K, V, mask=None):
    """dK = d_scores @ Q; it only runs where n_q = n_k, so that it cannot be told from any other crash."""
    weights, d_weights = forward(d_output, Q, K, V, mask)
    d_scores = weights * (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True)) / np.sqrt(Q.shape[-1])
    return d_scores @ K, d_scores @ Q, T(weights) @ d_output


@wrong(
    "attention_backward",
    "In which order are the three gradients due?",
    "三个梯度应当按什么顺序返回？",
)
def dq_and_dk_swapped(d_output, Q, K, V, mask=None):
    """Returns (dK, dQ, dV)."""
    dQ, dK, dV = right(d_output, Q, K, V, mask)
    return dK, dQ, dV


@wrong(
    "attention_backward",
    "You compute dV first. Where does it stand in what you return?",
    "dV 是最先算出来的。它在返回值里排在哪里？",
)
def dv_first(d_output, Q, K, V, mask=None):
    """Returns (dV, dQ, dK)."""
    dQ, dK, dV = right(d_output, Q, K, V, mask)
    return dV, dQ, dK


@wrong(
    "attention_backward",
    "Of which loss are your gradients: does d_output come into them?",
    "你求的是哪个损失的梯度？d_output 进入计算了吗？",
)
def d_output_ignored(d_output, Q, K, V, mask=None):
    """The gradients of the sum of the output."""
    return right(np.ones_like(d_output), Q, K, V, mask)


@wrong(
    "attention_backward",
    "Which weights did the forward pass have under the mask?",
    "有掩码时，前向的权重是什么样的？",
)
def mask_ignored(d_output, Q, K, V, mask=None):
    """The gradients of plain attention."""
    return right(d_output, Q, K, V)


@wrong(
    "attention_backward",
    "The mask changes d_scores. Has it changed the weights from which they come?",
    "掩码改变了 d_scores。算出它们所用的权重也受掩码影响了吗？",
)
def mask_on_the_gradients_alone(d_output, Q, K, V, mask=None):
    """The weights of plain attention; the mask only sets gradients of scores to 0."""
    weights, d_weights = forward(d_output, Q, K, V, None)
    d_scores = weights * (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True))
    return finish(weights, d_scores if mask is None else d_scores * mask, d_output, Q, K)


@wrong(
    "attention_backward",
    "What does True in a mask of this course mean?",
    "在本课程的掩码里，True 是什么意思？",
)
def mask_inverted(d_output, Q, K, V, mask=None):
    """True is taken for blocked."""
    return right(d_output, Q, K, V, None if mask is None else ~np.asarray(mask, dtype=bool))


@wrong(
    "attention_backward",
    "Which weights does a softmax give where all scores are the same large negative number?",
    "所有分数都是同一个很大的负数时，softmax 给出什么权重？",
)
def even_weights_where_nothing_is_seen(d_output, Q, K, V, mask=None):
    """A query that may attend to nothing gets even weights, by a fill of -1e9, and sends gradients to all values."""
    scores = Q @ T(K) / np.sqrt(Q.shape[-1])
    weights = masked_softmax(scores if mask is None else np.where(mask, scores, -1e9))
    d_weights = d_output @ T(V)
    d_scores = weights * (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True))
    return finish(weights, d_scores, d_output, Q, K)


@wrong(
    "attention_backward",
    "What is -inf minus -inf? Which query has nothing but such scores?",
    "-inf 减 -inf 等于什么？哪种查询的分数全是 -inf？",
)
def nan_where_nothing_is_seen(d_output, Q, K, V, mask=None):
    """A query that may attend to nothing gets NaN, by a fill of -inf."""
    scores = Q @ T(K) / np.sqrt(Q.shape[-1])
    scores = scores if mask is None else np.where(mask, scores, -np.inf)
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exps / exps.sum(axis=-1, keepdims=True)
    d_weights = d_output @ T(V)
    d_scores = weights * (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True))
    return finish(weights, d_scores, d_output, Q, K)


@wrong(
    "attention_backward",
    "What does exp make of a score of 8000 when you compute the weights once more?",
    "重新计算权重时，exp 遇到 8000 的分数会得到什么？",
)
def softmax_overflows(d_output, Q, K, V, mask=None):
    """Weights of its own without the shift by the largest score."""
    exps = np.exp(Q @ T(K) / np.sqrt(Q.shape[-1]))
    exps = exps if mask is None else exps * mask
    total = exps.sum(axis=-1, keepdims=True)
    weights = exps / np.where(total == 0, 1.0 if mask is not None else 0.0, total)
    d_weights = d_output @ T(V)
    d_scores = weights * (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True))
    return finish(weights, d_scores, d_output, Q, K)


@wrong(
    "attention_backward",
    "Does each sentence of the batch keep gradients of its own? Which shape has K?",
    "批次里的每个句子都有自己的梯度吗？K 是什么形状？",
)
def gradients_summed_over_the_batch(d_output, Q, K, V, mask=None):
    """Adds dK and dV up over the leading axes, as for parameters."""
    dQ, dK, dV = right(d_output, Q, K, V, mask)
    leading = tuple(range(np.ndim(K) - 2))
    return dQ, dK.sum(axis=leading), dV.sum(axis=leading)
