"""What learners get wrong in exercise `pooling`."""

import numpy as np

from autograder.misconceptions.catalogue import wrong
from solutions.masking import masked_softmax
from solutions.pooling import AttentionPooling
from solutions.softmax import softmax

right_init, right_forward = AttentionPooling.__init__, AttentionPooling.forward


def weights_of(scores, mask=None):
    """The right weights (..., n) for scores (..., n)."""
    one_query = None if mask is None else np.asarray(mask)[..., np.newaxis, :]
    return masked_softmax(scores[..., np.newaxis, :], one_query)[..., 0, :]


def average(weights, H):
    """The sum of the tokens of each sentence times their weights."""
    return (weights[..., np.newaxis] * H).sum(axis=-2)


@wrong(
    "AttentionPooling.forward",
    "How long is the axis over which your softmax runs, and what is a softmax of one number?",
    "你的 softmax 沿哪个轴计算，这个轴有多长？一个数的 softmax 是多少？",
)
def softmax_over_the_axis_of_length_1(self, H, mask=None):
    """Softmax over the last axis of H @ W, so that every weight is 1."""
    weights = np.ones(H.shape[:-1])
    weights = weights if mask is None else weights * mask
    return average(weights, H), weights


@wrong(
    "AttentionPooling.forward",
    "With a batch in front, is axis 0 still the axis of the tokens?",
    "前面多了批次轴之后，第 0 轴还是词元轴吗？",
)
def softmax_over_axis_0(self, H, mask=None):
    """Softmax over the first axis, right for a single sentence only."""
    scores = (H @ self.W)[..., 0]
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    weights = softmax(scores, axis=0)
    return average(weights, H), weights


@wrong(
    "AttentionPooling.forward",
    "How many weights add up to 1: those of one sentence, or those of the whole batch?",
    "加起来等于 1 的是一个句子的权重，还是整个批次的权重？",
)
def softmax_over_the_batch(self, H, mask=None):
    """One softmax over the tokens of all sentences together."""
    scores = (H @ self.W)[..., 0]
    weights = weights_of(scores.reshape(-1), None if mask is None else np.ravel(mask)).reshape(scores.shape)
    return average(weights, H), weights


@wrong(
    "AttentionPooling.forward",
    "Why are dot products scaled elsewhere, and does W, which is learned, need it? Read the docstring once more.",
    "别处为什么要缩放点积？W 是学出来的，它也需要吗？请再读一遍文档字符串。",
)
def scores_scaled(self, H, mask=None):
    """Divides the scores by the root of the width, as in attention."""
    weights = weights_of((H @ self.W)[..., 0] / np.sqrt(H.shape[-1]), mask)
    return average(weights, H), weights


@wrong(
    "AttentionPooling.forward",
    "Which score does the formula of this exercise use: H @ W, or a function of it?",
    "本练习的公式用的分数是 H @ W 本身，还是它的某个函数？",
)
def tanh_of_the_scores(self, H, mask=None):
    """The hidden layer's tanh, on the scores."""
    weights = weights_of(np.tanh(H @ self.W)[..., 0], mask)
    return average(weights, H), weights


@wrong(
    "AttentionPooling.forward",
    "What does exp make of a score of 8000, and what does your own softmax then divide?",
    "exp 遇到 8000 的分数会得到什么？你自己写的 softmax 接下来拿什么相除？",
)
def softmax_overflows(self, H, mask=None):
    """A softmax of its own without the shift by the largest score."""
    exps = np.exp((H @ self.W)[..., 0]) * (1.0 if mask is None else np.asarray(mask, dtype=float))
    total = exps.sum(axis=-1, keepdims=True)
    weights = exps / np.where(total == 0, 1.0 if mask is not None else 0.0, total)
    return average(weights, H), weights


@wrong(
    "AttentionPooling.forward",
    "What weight does a padding token get from you, and where does your code use the mask?",
    "填充词元从你这里得到多少权重？你的代码在哪里用到了掩码？",
)
def mask_ignored(self, H, mask=None):
    """Padding counts like any token."""
    return right_forward(self, H)


@wrong(
    "AttentionPooling.forward",
    "What does True in the mask mean in this course: a real token or padding?",
    "在本课程的掩码里，True 表示真实词元还是填充？",
)
def mask_inverted(self, H, mask=None):
    """True is taken for padding."""
    return right_forward(self, H, None if mask is None else ~np.asarray(mask, dtype=bool))


@wrong(
    "AttentionPooling.forward",
    "What do the weights of the real tokens add up to, once padding is set to 0 after the softmax?",
    "在 softmax 之后才把填充置 0，真实词元的权重加起来是多少？",
)
def mask_after_the_softmax(self, H, mask=None):
    """The softmax runs over the padding too; its weights are set to 0 afterwards."""
    weights = weights_of((H @ self.W)[..., 0])
    weights = weights if mask is None else weights * mask
    return average(weights, H), weights


@wrong(
    "AttentionPooling.forward",
    "What is exp(0)? Is a score of 0 no score?",
    "exp(0) 等于多少？分数为 0 就等于没有分数吗？",
)
def scores_times_the_mask(self, H, mask=None):
    """Multiplies the scores by the mask, so that padding has the score 0."""
    scores = (H @ self.W)[..., 0]
    weights = softmax(scores if mask is None else scores * mask)
    return average(weights, H), weights


@wrong(
    "AttentionPooling.forward",
    "A token that is all zeros has the score 0. Which weight does it get, and what do the others lose?",
    "全零的词元分数是 0。它得到多少权重？其他词元因此少了多少？",
)
def padding_set_to_zero_vectors(self, H, mask=None):
    """Sets the padding's vectors to 0 and takes the softmax over all."""
    return right_forward(self, H if mask is None else H * np.asarray(mask)[..., np.newaxis])


@wrong(
    "AttentionPooling.forward",
    "Which weights come out where every score of a sentence has the same large negative number?",
    "一个句子的所有分数都是同一个很大的负数时，softmax 给出什么权重？",
)
def even_weights_on_padding_alone(self, H, mask=None):
    """A sentence of nothing but padding gets even weights, by a fill of -1e9."""
    scores = (H @ self.W)[..., 0]
    weights = softmax(scores if mask is None else np.where(mask, scores, -1e9))
    return average(weights, H), weights


@wrong(
    "AttentionPooling.forward",
    "What is -inf minus -inf? Which sentence has nothing but such scores?",
    "-inf 减 -inf 等于什么？哪种句子的分数全是 -inf？",
)
def nan_on_padding_alone(self, H, mask=None):
    """A sentence of nothing but padding gets NaN, by a fill of -inf."""
    scores = (H @ self.W)[..., 0]
    scores = scores if mask is None else np.where(mask, scores, -np.inf)
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exps / exps.sum(axis=-1, keepdims=True)
    return average(weights, H), weights


@wrong(
    "AttentionPooling.forward",
    "You have computed weights. Does the output change when they do?",
    "你算出了权重。权重变了，你的输出会跟着变吗？",
)
def plain_mean(self, H, mask=None):
    """The right weights, but the output is the plain mean of the real tokens."""
    _, weights = right_forward(self, H, mask)
    real = np.ones(H.shape[:-1]) if mask is None else np.asarray(mask, dtype=float)
    return average(real / np.maximum(real.sum(axis=-1, keepdims=True), 1.0), H), weights


@wrong(
    "AttentionPooling.forward",
    "Is the output one token's vector, or something of every token?",
    "输出是某一个词元的向量，还是每个词元都占一份？",
)
def best_token_alone(self, H, mask=None):
    """The vector of the token with the largest weight."""
    _, weights = right_forward(self, H, mask)
    best = weights.argmax(axis=-1)[..., np.newaxis, np.newaxis]
    return np.take_along_axis(H, best, axis=-2)[..., 0, :] * (weights.sum(axis=-1, keepdims=True) > 0), weights


@wrong(
    "AttentionPooling.forward",
    "The weights add up to 1 already. What does dividing by the number of tokens do to the average?",
    "权重加起来已经是 1，再除以词元个数，平均值会怎样？",
)
def divided_by_the_length_too(self, H, mask=None):
    """The mean of the weighted tokens in place of their sum."""
    output, weights = right_forward(self, H, mask)
    return output / H.shape[-2], weights


@wrong(
    "AttentionPooling.forward",
    "Over which axis do you add up? Should a word of one sentence reach the output of another?",
    "你沿哪个轴求和？一个句子的词应当进入另一个句子的输出吗？",
)
def sum_over_axis_0(self, H, mask=None):
    """Adds up over the first axis, which is the batch where there is one."""
    _, weights = right_forward(self, H, mask)
    return (weights[..., np.newaxis] * H).sum(axis=0), weights


@wrong(
    "AttentionPooling.forward",
    "Which numbers average the tokens: the scores, or what the softmax made of them?",
    "用来平均词元的是分数，还是分数经过 softmax 之后的结果？",
)
def scores_as_weights_of_the_sum(self, H, mask=None):
    """The sum of the tokens times their raw scores."""
    _, weights = right_forward(self, H, mask)
    scores = (H @ self.W)[..., 0]
    return average(scores if mask is None else scores * mask, H), weights


@wrong(
    "AttentionPooling.forward",
    "H @ W has an axis of length 1 at its end. Is it still there in what you return?",
    "H @ W 的末尾有一个长度为 1 的轴。它还留在你返回的结果里吗？",
)
def weights_as_a_column(self, H, mask=None):
    """Weights (..., n, 1)."""
    output, weights = right_forward(self, H, mask)
    return output, weights[..., np.newaxis]


@wrong(
    "AttentionPooling.forward",
    "The output is one vector a sentence. Which axis have you kept that has no meaning any more?",
    "每个句子的输出是一个向量。你还保留了哪个已经没有意义的轴？",
)
def query_axis_kept(self, H, mask=None):
    """Output (..., 1, hidden) and weights (..., 1, n)."""
    output, weights = right_forward(self, H, mask)
    return output[..., np.newaxis, :], weights[..., np.newaxis, :]


@wrong("AttentionPooling.forward", "In which order are the two results due?", "两个返回值应当按什么顺序排列？")
def results_in_the_other_order(self, H, mask=None):
    """Returns (weights, output)."""
    return right_forward(self, H, mask)[::-1]


@wrong(
    "AttentionPooling.__init__",
    "How many axes does the contract give W?",
    "接口约定中 W 有几个轴？",
    diagnosed=False,
)
def w_as_a_vector(self, hidden_size, seed=42):
    """W is (hidden_size,), not a matrix with one column."""
    right_init(self, hidden_size, seed)
    self.W = self.W[:, 0]


@wrong(
    "AttentionPooling.__init__",
    "Which weights do all tokens get from a W of zeros?",
    "W 全为零时，各词元得到什么权重？",
    diagnosed=False,
)
def w_starts_as_zeros(self, hidden_size, seed=42):
    """W starts as zeros."""
    self.W = np.zeros((hidden_size, 1))
