"""What learners get wrong in exercise `multi_head`."""

import numpy as np

from autograder.misconceptions.catalogue import wrong
from solutions.masking import masked_attention
from solutions.multi_head import concat_heads as right_concat
from solutions.multi_head import split_heads as right_split
from solutions.softmax import softmax


def cut(X, n_heads):
    """The features cut into slices, (..., n, n_heads, d_head), as they should be."""
    X = np.asarray(X)
    if X.shape[-1] % n_heads != 0:
        raise ValueError("d_model is not divisible by n_heads")
    return X.reshape(*X.shape[:-1], n_heads, X.shape[-1] // n_heads)


def heads_of(X, n_heads, *matrices):
    """Queries, keys and values per head as they should be."""
    return tuple(right_split(X @ W, n_heads) for W in matrices)


def for_all_heads(mask):
    """The mask with an axis for the heads, as it should be."""
    return None if mask is None else np.asarray(mask)[..., np.newaxis, :, :]


def scores_of(Q, K):
    """The scaled scores as they should be."""
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])


def allowed(scores, mask):
    """The mask as bool in the shape of the scores; without a mask all True."""
    return np.broadcast_to(True if mask is None else np.asarray(for_all_heads(mask), dtype=bool), scores.shape)


@wrong(
    "split_heads",
    "A reshape never moves a number: do head 0's numbers all come from the first features, for EVERY token?",
    "reshape 从不移动数字：头 0 的数是否来自每一个词元的前几个特征？",
)
def split_by_reshape_alone(X, n_heads):
    """Reshapes to (..., n_heads, n, d_head) at once, so that a head gets some tokens' features."""
    per_token = cut(X, n_heads)
    return per_token.reshape(*per_token.shape[:-3], n_heads, per_token.shape[-3], per_token.shape[-1])


@wrong(
    "split_heads",
    "Where must the heads' axis stand so that the last two axes are tokens and features?",
    "头的轴应该放在哪里，才能让最后两个轴是词元和特征？",
)
def split_leaves_heads_after_tokens(X, n_heads):
    """Stops at (..., n, n_heads, d_head)."""
    return cut(X, n_heads)


@wrong(
    "split_heads",
    "Do the features of one head lie side by side in X, or every n_heads-th of them?",
    "一个头的特征在 X 中是相邻的一段，还是每隔 n_heads 个取一个？",
)
def split_interleaved(X, n_heads):
    """Head h gets every n_heads-th feature."""
    cut(X, n_heads)
    return np.stack([np.asarray(X)[..., head::n_heads] for head in range(n_heads)], axis=-3)


@wrong(
    "split_heads",
    "Which of the two is n_heads: how many slices there are, or how wide each of them is?",
    "n_heads 指的是切成多少段，还是每段有多宽？",
)
def split_takes_n_heads_for_d_head(X, n_heads):
    """d_model / n_heads heads that are n_heads wide."""
    return right_split(X, cut(X, n_heads).shape[-1])


@wrong(
    "split_heads",
    "Which axes did you number from the left, and what stands there when X has no batch axis or two of them?",
    "你从左边数了哪些轴？当 X 没有批次轴或有两个批次轴时，那里是什么？",
)
def split_swaps_axes_one_and_two(X, n_heads):
    """swapaxes(1, 2): right for just one batch axis."""
    return cut(X, n_heads).swapaxes(1, 2)


@wrong(
    "split_heads",
    "How many axes does your transposition expect, and does a single sentence have as many?",
    "你的转置要求有几个轴？单个句子有这么多轴吗？",
)
def split_transposes_four_axes(X, n_heads):
    """transpose(0, 2, 1, 3): fails without exactly one batch axis."""
    return cut(X, n_heads).transpose(0, 2, 1, 3)


@wrong(
    "split_heads",
    "Where does the batch axis end up in your result: still in front?",
    "在你的结果里批次轴到了哪里？还在最前面吗？",
)
def split_puts_heads_before_the_batch(X, n_heads):
    """(n_heads, ..., n, d_head)."""
    return np.moveaxis(cut(X, n_heads), -2, 0)


@wrong(
    "split_heads",
    "What do the last two axes of your result stand for, in which order?",
    "你的结果的最后两个轴分别代表什么，顺序如何？",
)
def split_swaps_tokens_and_features(X, n_heads):
    """(..., n_heads, d_head, n)."""
    return np.swapaxes(right_split(X, n_heads), -1, -2)


@wrong(
    "split_heads",
    "What happens to the features that are left over when n_heads does not divide d_model?",
    "当 n_heads 不能整除 d_model 时，剩下的特征到哪里去了？",
    diagnosed=False,
)
def split_drops_the_rest(X, n_heads):
    """No error: the features that do not fit are left out."""
    X = np.asarray(X)
    d_head = X.shape[-1] // n_heads
    return X[..., : n_heads * d_head].reshape(*X.shape[:-1], n_heads, d_head).swapaxes(-2, -3)


@wrong(
    "concat_heads",
    "Are the numbers of one row of your result all of the same token?",
    "你的结果中，同一行的数都属于同一个词元吗？",
)
def concat_by_reshape_alone(H):
    """Reshapes to (..., n, n_heads*d_head) without moving the heads' axis first."""
    *leading, n_heads, n, d_head = np.shape(H)
    return np.reshape(H, (*leading, n, n_heads * d_head))


@wrong(
    "concat_heads",
    "How wide must a token be again after the heads have been put together?",
    "把各个头合在一起之后，每个词元应当恢复到多宽？",
)
def heads_averaged(H):
    """The mean over the heads."""
    return np.mean(H, axis=-3)


@wrong(
    "concat_heads",
    "Are the slices of a token in your result all the same, or does each head keep its own?",
    "你的结果中，一个词元的各段都一样，还是每个头保留了自己的那一段？",
)
def heads_averaged_and_repeated(H):
    """The mean over the heads, as often as there are heads."""
    return right_concat(np.broadcast_to(np.mean(H, axis=-3, keepdims=True), np.shape(H)))


@wrong(
    "concat_heads",
    "Concatenating keeps every number: how many numbers does your result have?",
    "拼接会保留每一个数：你的结果里有多少个数？",
)
def heads_added_up(H):
    """The sum over the heads."""
    return np.sum(H, axis=-3)


@wrong(
    "concat_heads",
    "Does the result have as many tokens as H had, or n_heads times as many?",
    "结果的词元数与 H 相同，还是变成了 n_heads 倍？",
)
def heads_put_below_one_another(H):
    """(..., n_heads*n, d_head)."""
    *leading, n_heads, n, d_head = np.shape(H)
    return np.reshape(H, (*leading, n_heads * n, d_head))


@wrong(
    "concat_heads",
    "What comes right after the first feature of head 0: its second one, or head 1's first?",
    "头 0 的第一个特征之后紧接着的是什么：它的第二个特征，还是头 1 的第一个特征？",
)
def concat_interleaved(H):
    """Feature by feature, a number of each head."""
    *leading, n_heads, n, d_head = np.shape(H)
    return np.moveaxis(H, -3, -1).reshape(*leading, n, d_head * n_heads)


@wrong(
    "concat_heads",
    "Which axes did you number from the left, and what stands there when H has no batch axis or two of them?",
    "你从左边数了哪些轴？当 H 没有批次轴或有两个批次轴时，那里是什么？",
)
def concat_swaps_axes_one_and_two(H):
    """swapaxes(1, 2): right for just one batch axis."""
    moved = np.swapaxes(H, 1, 2)
    return moved.reshape(*moved.shape[:-2], moved.shape[-2] * moved.shape[-1])


@wrong(
    "concat_heads",
    "How many axes does your transposition expect, and does a single sentence have as many?",
    "你的转置要求有几个轴？单个句子有这么多轴吗？",
)
def concat_transposes_four_axes(H):
    """transpose(0, 2, 1, 3): fails without exactly one batch axis."""
    moved = np.transpose(H, (0, 2, 1, 3))
    return moved.reshape(*moved.shape[:-2], moved.shape[-2] * moved.shape[-1])


@wrong(
    "fuse_heads",
    "Should the fused matrix get more columns or more rows than the matrix of one head?",
    "与单个头的矩阵相比，合并后的矩阵应当多出列，还是多出行？",
)
def fused_below_one_another(per_head):
    """(n_heads*d_model, d_head)."""
    return np.concatenate(list(per_head), axis=0)


@wrong(
    "fuse_heads",
    "How many axes must a matrix have that X can be multiplied with once?",
    "要与 X 只做一次矩阵乘法，这个矩阵应当有几个轴？",
)
def fused_as_a_stack(per_head):
    """(n_heads, d_model, d_head)."""
    return np.stack(list(per_head))


@wrong(
    "fuse_heads",
    "Does row i of your result hold row i of every head's matrix?",
    "你的结果的第 i 行，是否由每个头的矩阵的第 i 行组成？",
)
def fused_by_reshape(per_head):
    """Stacks, then reshapes to (d_model, n_heads*d_head)."""
    stack = np.stack(list(per_head))
    return stack.reshape(stack.shape[1], -1)


@wrong(
    "fuse_heads",
    "Are the columns of one head side by side in your result?",
    "在你的结果里，同一个头的各列是相邻的吗？",
)
def fused_with_columns_interleaved(per_head):
    """Column 0 of every head, then column 1 of every head."""
    stack = np.stack(list(per_head), axis=-1)
    return stack.reshape(stack.shape[0], -1)


@wrong(
    "fuse_heads",
    "Can the heads still differ once their matrices have been added up?",
    "把各个头的矩阵加在一起之后，各个头还能不同吗？",
)
def fused_by_adding(per_head):
    """The sum of the matrices."""
    return np.sum(list(per_head), axis=0)


@wrong(
    "fuse_heads",
    "Does each head see all features of X, or only its own slice of them?",
    "每个头看到的是 X 的全部特征，还是只有其中自己的一段？",
)
def fused_as_blocks(per_head):
    """Block diagonal, zeros elsewhere."""
    n_heads, d_model, d_head = np.shape(list(per_head))
    fused = np.zeros((n_heads * d_model, n_heads * d_head))
    for head, matrix in enumerate(per_head):
        fused[head * d_model : (head + 1) * d_model, head * d_head : (head + 1) * d_head] = matrix
    return fused


@wrong(
    "multi_head_attention",
    "How long are the vectors whose product is ONE head's score?",
    "一个头的分数，是由多长的向量相乘得到的？",
)
def scaled_by_d_model(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """Divides by the root of d_model in place of d_head."""
    Q, K, V = heads_of(X, n_heads, W_Q, W_K, W_V)
    per_head, weights = masked_attention(Q / np.sqrt(n_heads), K, V, for_all_heads(mask))
    return right_concat(per_head) @ W_O, weights


@wrong(
    "multi_head_attention",
    "Does the size of a score depend on how many heads there are, or on how wide they are?",
    "分数的大小取决于头的个数，还是头的宽度？",
)
def scaled_by_n_heads(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """Divides by the root of n_heads in place of d_head."""
    Q, K, V = heads_of(X, n_heads, W_Q, W_K, W_V)
    per_head, weights = masked_attention(Q * np.sqrt(Q.shape[-1] / n_heads), K, V, for_all_heads(mask))
    return right_concat(per_head) @ W_O, weights


@wrong(
    "multi_head_attention",
    "How do the scores grow when a head gets wider, and what makes up for it?",
    "头越宽，分数会怎样变大？用什么来抵消？",
)
def scores_not_scaled(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """No scale at all."""
    Q, K, V = heads_of(X, n_heads, W_Q, W_K, W_V)
    per_head, weights = masked_attention(Q * np.sqrt(Q.shape[-1]), K, V, for_all_heads(mask))
    return right_concat(per_head) @ W_O, weights


@wrong(
    "multi_head_attention",
    "After the concatenation each slice knows only its own head: which matrix mixes them?",
    "拼接之后，每一段仍然只含自己那个头的信息：由哪个矩阵把它们混合起来？",
)
def output_not_projected(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """W_O is not used."""
    per_head, weights = masked_attention(*heads_of(X, n_heads, W_Q, W_K, W_V), for_all_heads(mask))
    return right_concat(per_head), weights


@wrong(
    "multi_head_attention",
    "Does W_O stand on the right of the concatenated heads just as it was given?",
    "W_O 是否按原样乘在拼接结果的右边？",
)
def output_matrix_transposed(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """Multiplies with the transpose of W_O."""
    per_head, weights = masked_attention(*heads_of(X, n_heads, W_Q, W_K, W_V), for_all_heads(mask))
    return right_concat(per_head) @ np.transpose(W_O), weights


@wrong(
    "multi_head_attention",
    "Can a feature of head 0 reach every column of your output?",
    "头 0 的某个特征，能影响到输出的每一列吗？",
)
def output_matrix_within_each_head(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """Each head meets its own diagonal block of W_O only."""
    per_head, weights = masked_attention(*heads_of(X, n_heads, W_Q, W_K, W_V), for_all_heads(mask))
    width = per_head.shape[-1]
    blocks = [W_O[h * width : (h + 1) * width, h * width : (h + 1) * width] for h in range(n_heads)]
    return right_concat(per_head @ np.stack(blocks)), weights


@wrong(
    "multi_head_attention",
    "These matrices are used as X @ W: who stores them the other way round?",
    "这里的用法是 X @ W：哪个库的矩阵是反过来存放的？",
)
def projections_transposed(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """X @ W.T everywhere, as nn.Linear does."""
    Q, K, V = heads_of(X, n_heads, *(np.transpose(W) for W in (W_Q, W_K, W_V)))
    per_head, weights = masked_attention(Q, K, V, for_all_heads(mask))
    return right_concat(per_head) @ np.transpose(W_O), weights


@wrong(
    "multi_head_attention",
    "Which of the two matrices belongs to the token that asks, and so to the rows of the scores?",
    "两个矩阵中，哪一个属于“提问”的词元，也就是分数的行？",
)
def queries_and_keys_swapped(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """Queries from W_K, keys from W_Q."""
    Q, K, V = heads_of(X, n_heads, W_Q, W_K, W_V)
    per_head, weights = masked_attention(K, Q, V, for_all_heads(mask))
    return right_concat(per_head) @ W_O, weights


@wrong(
    "multi_head_attention",
    "What exactly do the heads average: X itself, or something made from it?",
    "各个头加权平均的究竟是 X 本身，还是由它得到的另一组向量？",
)
def values_not_projected(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """Averages slices of X in place of X W_V."""
    Q, K = heads_of(X, n_heads, W_Q, W_K)
    per_head, weights = masked_attention(Q, K, right_split(X, n_heads), for_all_heads(mask))
    return right_concat(per_head) @ W_O, weights


@wrong(
    "multi_head_attention",
    "Does a head's projection read all features of X, or only the slice with its number?",
    "一个头的投影读取的是 X 的全部特征，还是只读与它编号对应的那一段？",
)
def heads_read_their_own_slice_of_x(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """Splits X first, and projects each slice with a diagonal block."""
    slices = right_split(X, n_heads)
    width = slices.shape[-1]

    def blocks(W):
        return np.stack([W[h * width : (h + 1) * width, h * width : (h + 1) * width] for h in range(n_heads)])

    Q, K, V = (slices @ blocks(W) for W in (W_Q, W_K, W_V))
    per_head, weights = masked_attention(Q, K, V, for_all_heads(mask))
    return right_concat(per_head) @ W_O, weights


@wrong(
    "multi_head_attention",
    "Can two of your heads look at different tokens?",
    "你的两个头能关注不同的词元吗？",
)
def one_pattern_for_all_heads(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """All heads use the weights of head 0."""
    Q, K, V = heads_of(X, n_heads, W_Q, W_K, W_V)
    Q, K = (np.broadcast_to(each[..., :1, :, :], each.shape) for each in (Q, K))
    per_head, weights = masked_attention(Q, K, V, for_all_heads(mask))
    return right_concat(per_head) @ W_O, weights


@wrong(
    "multi_head_attention",
    "What in your code would change if n_heads were another number?",
    "如果 n_heads 换成别的数，你的代码里会有什么改变？",
)
def one_head_of_full_width(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """No heads at all: one attention over all features."""
    cut(X, n_heads)
    output, weights = masked_attention(X @ W_Q, X @ W_K, X @ W_V, mask)
    return output @ W_O, weights


@wrong(
    "multi_head_attention",
    "A reshape alone cuts in the wrong places, and joining the same way hides it: which numbers does head 0 really hold?",
    "只用 reshape 切分会切错地方，而用同样的方式合并又会把错误掩盖：头 0 里到底是哪些数？",
)
def split_and_concat_by_reshape_alone(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """Neither split nor concat moves an axis: the round trip is right, the attention is not."""
    per_token = cut(X, n_heads)
    shape = (*per_token.shape[:-3], n_heads, per_token.shape[-3], per_token.shape[-1])
    per_head, weights = masked_attention(*(np.reshape(X @ W, shape) for W in (W_Q, W_K, W_V)), for_all_heads(mask))
    return np.reshape(per_head, np.shape(X)) @ W_O, weights


@wrong(
    "multi_head_attention",
    "Can one still see in your weights what each head looked at?",
    "从你返回的权重里，还能看出每个头各自关注了什么吗？",
)
def weights_averaged_over_the_heads(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """Returns the mean of the heads' weights, as nn.MultiheadAttention does."""
    per_head, weights = masked_attention(*heads_of(X, n_heads, W_Q, W_K, W_V), for_all_heads(mask))
    return right_concat(per_head) @ W_O, weights.mean(axis=-3)


@wrong(
    "multi_head_attention",
    "Shapes line up from the right: with scores (batch, n_heads, n, n), on which axis does the batch of a mask (batch, n, n) land?",
    "形状从右边对齐：分数是 (batch, n_heads, n, n) 时，掩码 (batch, n, n) 的批次轴会落到哪个轴上？",
)
def mask_lands_on_the_heads(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """The mask gets no axis for the heads."""
    per_head, weights = masked_attention(*heads_of(X, n_heads, W_Q, W_K, W_V), mask)
    return right_concat(per_head) @ W_O, weights


@wrong(
    "multi_head_attention",
    "You count the place of the heads' axis from the left: is it there for a mask with two batch axes too?",
    "你从左边数头的轴的位置：掩码有两个批次轴时，它还在那里吗？",
)
def mask_axis_counted_from_the_left(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """mask[:, None] for a mask with a batch axis: right for just one."""
    if mask is not None and np.ndim(mask) > 2:
        mask = np.expand_dims(mask, 1)
    per_head, weights = masked_attention(*heads_of(X, n_heads, W_Q, W_K, W_V), mask)
    return right_concat(per_head) @ W_O, weights


@wrong(
    "multi_head_attention",
    "What does True in a mask mean in this course, and what in nn.MultiheadAttention?",
    "掩码中的 True 在本课程里是什么意思？在 nn.MultiheadAttention 里呢？",
)
def mask_with_the_opposite_meaning(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """True blocks."""
    opposite = None if mask is None else np.logical_not(for_all_heads(mask))
    per_head, weights = masked_attention(*heads_of(X, n_heads, W_Q, W_K, W_V), opposite)
    return right_concat(per_head) @ W_O, weights


@wrong(
    "multi_head_attention",
    "Does your result change when a mask is passed?",
    "传入掩码之后，你的结果有变化吗？",
)
def mask_ignored(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """The mask is accepted and not used."""
    per_head, weights = masked_attention(*heads_of(X, n_heads, W_Q, W_K, W_V))
    return right_concat(per_head) @ W_O, weights


@wrong(
    "multi_head_attention",
    "Do the weights of a row still add up to 1 once the mask has been applied?",
    "应用掩码之后，一行的权重之和还是 1 吗？",
)
def mask_after_the_softmax(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """Blocked weights are set to 0 after the softmax, the rest is left as it was."""
    Q, K, V = heads_of(X, n_heads, W_Q, W_K, W_V)
    weights = softmax(scores_of(Q, K), axis=-1)
    weights = weights * allowed(weights, mask)
    return right_concat(weights @ V) @ W_O, weights


@wrong(
    "multi_head_attention",
    "A blocked key gets the score 0 here: is 0 a small score?",
    "被屏蔽的键在这里得到分数 0：0 算是很小的分数吗？",
)
def scores_times_the_mask(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """Blocked scores become 0 before the softmax."""
    Q, K, V = heads_of(X, n_heads, W_Q, W_K, W_V)
    scores = scores_of(Q, K)
    weights = softmax(scores * allowed(scores, mask), axis=-1)
    return right_concat(weights @ V) @ W_O, weights


@wrong(
    "multi_head_attention",
    "Which axis of the mask stands for the queries, and which for the keys?",
    "掩码的哪个轴对应查询，哪个轴对应键？",
)
def mask_on_the_query_axis(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """The mask's last two axes change places, so that padding blocks queries."""
    turned = None if mask is None else np.swapaxes(for_all_heads(mask), -1, -2)
    per_head, weights = masked_attention(*heads_of(X, n_heads, W_Q, W_K, W_V), turned)
    return right_concat(per_head) @ W_O, weights


@wrong(
    "multi_head_attention",
    "What becomes of a row whose scores are all filled with the same very negative number?",
    "如果一行分数全被填成同一个很大的负数，softmax 之后这一行会是什么？",
)
def blocked_token_sees_everything(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """A fill of -1e9 leaves a blocked row with equal weights."""
    Q, K, V = heads_of(X, n_heads, W_Q, W_K, W_V)
    scores = scores_of(Q, K)
    weights = softmax(np.where(allowed(scores, mask), scores, -1e9), axis=-1)
    return right_concat(weights @ V) @ W_O, weights


@wrong(
    "multi_head_attention",
    "What does the softmax give for a row in which every score is minus infinity?",
    "如果一行的分数全是负无穷，softmax 会得到什么？",
)
def blocked_token_is_nan(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """A fill of -inf, and a blocked row is 0 / 0."""
    Q, K, V = heads_of(X, n_heads, W_Q, W_K, W_V)
    scores = scores_of(Q, K)
    scores = np.where(allowed(scores, mask), scores, -np.inf)
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exps / exps.sum(axis=-1, keepdims=True)
    return right_concat(weights @ V) @ W_O, weights


@wrong(
    "multi_head_attention",
    "What is exp of a score of 1000, and which earlier function takes care of that?",
    "分数为 1000 时 exp 等于多少？前面哪个函数已经处理了这个问题？",
)
def exp_without_a_shift(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """A softmax of its own that overflows."""
    Q, K, V = heads_of(X, n_heads, W_Q, W_K, W_V)
    exps = np.exp(scores_of(Q, K))
    exps = np.where(allowed(exps, mask), exps, 0.0)
    total = exps.sum(axis=-1, keepdims=True)
    weights = exps / np.where(total == 0, 1.0, total)
    return right_concat(weights @ V) @ W_O, weights


@wrong(
    "multi_head_attention",
    "Do heads compete with each other for a key, or do the keys compete within each head?",
    "是各个头争夺同一个键，还是每个头内部由各个键竞争？",
)
def softmax_over_the_heads(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """The weights of one key add up to 1 over the heads."""
    Q, K, V = heads_of(X, n_heads, W_Q, W_K, W_V)
    scores = scores_of(Q, K)
    weights = np.where(allowed(scores, mask), softmax(scores, axis=-3), 0.0)
    return right_concat(weights @ V) @ W_O, weights


@wrong(
    "multi_head_attention",
    "A residual connection belongs to the block around the layer: does the formula here have one?",
    "残差连接属于外层的 Transformer 块：这里的公式里有它吗？",
)
def residual_added(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """Adds X to the output."""
    per_head, weights = masked_attention(*heads_of(X, n_heads, W_Q, W_K, W_V), for_all_heads(mask))
    return right_concat(per_head) @ W_O + X, weights


@wrong(
    "multi_head_attention",
    "In which order does the docstring name the two results?",
    "文档字符串里两个结果的顺序是怎样的？",
)
def weights_before_output(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """Returns (weights, output)."""
    per_head, weights = masked_attention(*heads_of(X, n_heads, W_Q, W_K, W_V), for_all_heads(mask))
    return weights, right_concat(per_head) @ W_O


@wrong(
    "multi_head_attention",
    "How many results does the docstring name?",
    "文档字符串里写了几个返回值？",
)
def output_alone(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """The weights are not returned."""
    return right_concat(masked_attention(*heads_of(X, n_heads, W_Q, W_K, W_V), for_all_heads(mask))[0]) @ W_O


@wrong(
    "multi_head_attention",
    "Do your keys have a matrix of their own, or do they repeat the queries?",
    "你的键用的是自己的矩阵，还是重复了查询？",
)
def keys_from_the_query_matrix(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """K = X W_Q as well."""
    per_head, weights = masked_attention(*heads_of(X, n_heads, W_Q, W_Q, W_V), for_all_heads(mask))
    return right_concat(per_head) @ W_O, weights


@wrong(
    "multi_head_attention",
    "Keys decide who is looked at; what is it that is handed over then?",
    "键决定关注谁；那么真正被取走的内容是什么？",
)
def averages_the_keys(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """The weighted average is taken over the keys."""
    per_head, weights = masked_attention(*heads_of(X, n_heads, W_Q, W_K, W_K), for_all_heads(mask))
    return right_concat(per_head) @ W_O, weights


@wrong(
    "multi_head_attention",
    "A token that may attend to nothing: what does it see once you have opened its row to avoid the NaN?",
    "什么都不能看的词元：为了避免 NaN 而放开它那一行之后，它看到了什么？",
)
def blocked_row_opened(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    """A row with nothing allowed is treated as if all were allowed."""
    if mask is not None:
        mask = np.asarray(mask, dtype=bool)
        mask = mask | ~mask.any(axis=-1, keepdims=True)
    per_head, weights = masked_attention(*heads_of(X, n_heads, W_Q, W_K, W_V), for_all_heads(mask))
    return right_concat(per_head) @ W_O, weights
