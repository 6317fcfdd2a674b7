"""What learners get wrong in exercise `masking`."""

import numpy as np

from autograder.misconceptions.catalogue import wrong
from solutions.attention import scaled_dot_product_attention as right_attention
from solutions.masking import causal_mask as right_causal_mask
from solutions.masking import masked_attention as right_masked_attention
from solutions.masking import masked_softmax as right_masked_softmax
from solutions.masking import padding_mask as right_padding_mask
from solutions.softmax import softmax


@wrong(
    "causal_mask",
    "What does True mean in this course: may attend, or blocked?",
    "在本课程中 True 表示什么：允许关注，还是遮住？",
)
def causal_mask_inverted(n_q, n_k=None):
    """True = blocked, as in nn.MultiheadAttention."""
    return ~right_causal_mask(n_q, n_k)


@wrong(
    "causal_mask",
    "In which triangle of the matrix are the keys that come before a query: above the diagonal or below it?",
    "排在查询之前的键位于矩阵的哪个三角：对角线上方还是下方？",
)
def upper_triangle(n_q, n_k=None):
    """The upper triangle: every query sees the future."""
    n_k = n_q if n_k is None else n_k
    return np.triu(np.ones((n_q, n_k), dtype=bool), k=n_k - n_q)


@wrong(
    "causal_mask",
    "May a token attend to itself? What would the first token have to look at otherwise?",
    "一个词元能不能关注自己？否则第一个词元能看什么？",
)
def own_position_blocked(n_q, n_k=None):
    """The diagonal is blocked."""
    n_k = n_q if n_k is None else n_k
    return np.tri(n_q, n_k, k=n_k - n_q - 1, dtype=bool)


@wrong(
    "causal_mask",
    "How many keys does the first of n queries see in your mask, when there are n keys?",
    "n 个查询、n 个键时，在你的掩码中第一个查询能看到几个键？",
)
def one_future_token_allowed(n_q, n_k=None):
    """Every query sees the token after it."""
    n_k = n_q if n_k is None else n_k
    return np.tri(n_q, n_k, k=n_k - n_q + 1, dtype=bool)


@wrong(
    "causal_mask",
    "With two new queries after a prefix of five keys: at which position among the keys does the first query stand?",
    "前缀加新词元共五个键、只有两个新查询时：第一个查询排在键序列的哪个位置？",
)
def first_query_at_the_first_key(n_q, n_k=None):
    """Top-left alignment."""
    return np.tri(n_q, n_k, dtype=bool)


@wrong(
    "causal_mask",
    "With more keys than queries, does the first query see more than one key, or fewer? Check the sign of your shift.",
    "键比查询多时，第一个查询看到的键应当变多还是变少？检查一下偏移量的正负号。",
)
def shifted_the_wrong_way(n_q, n_k=None):
    """The shift is n_q - n_k."""
    n_k = n_q if n_k is None else n_k
    return np.tri(n_q, n_k, k=n_q - n_k, dtype=bool)


@wrong(
    "causal_mask",
    "How many columns must the mask have when n_k is given?",
    "给出 n_k 时，掩码应当有多少列？",
)
def n_k_ignored(n_q, n_k=None):
    """Always square."""
    return np.tri(n_q, dtype=bool)


@wrong(
    "causal_mask",
    "Does your mask say yes or no for each key, or does it hold numbers to be added to scores?",
    "你的掩码是对每个键说“是/否”，还是存放了要加到分数上的数？",
)
def causal_mask_to_be_added(n_q, n_k=None):
    """0 and -inf, a mask to be added."""
    return np.where(right_causal_mask(n_q, n_k), 0.0, -np.inf)


@wrong(
    "causal_mask",
    "Which dtype does np.tril(np.ones(...)) have, and which must a mask have?",
    "np.tril(np.ones(...)) 的 dtype 是什么？掩码的 dtype 应当是什么？",
)
def causal_mask_of_numbers(n_q, n_k=None):
    """Numbers 0 and 1 in place of booleans."""
    return right_causal_mask(n_q, n_k).astype(float)


@wrong(
    "padding_mask",
    "Which places are True in your mask: the real tokens or the padding?",
    "你的掩码中哪些位置是 True：真实词元还是填充？",
)
def padding_mask_inverted(lengths, n_k):
    """True = padding, as in nn.MultiheadAttention's key_padding_mask."""
    return ~right_padding_mask(lengths, n_k)


@wrong(
    "padding_mask",
    "How many real tokens does your mask show for a sentence of length 1? Positions count from 0.",
    "长度为 1 的句子，你的掩码显示有几个真实词元？注意位置从 0 数起。",
)
def one_place_of_padding_counts(lengths, n_k):
    """j <= length."""
    return np.arange(n_k) <= np.asarray(lengths)[:, np.newaxis, np.newaxis]


@wrong(
    "padding_mask",
    "For a sentence that fills all n_k places, is its last token still visible in your mask?",
    "句子占满 n_k 个位置时，在你的掩码中最后一个词元还看得到吗？",
)
def last_token_blocked(lengths, n_k):
    """j < length - 1."""
    return np.arange(n_k) < np.asarray(lengths)[:, np.newaxis, np.newaxis] - 1


@wrong(
    "padding_mask",
    "How does a mask (batch, n_k) broadcast to scores (batch, n_q, n_k)? Which axis would its batch fall on?",
    "形状为 (batch, n_k) 的掩码怎样广播到 (batch, n_q, n_k) 的分数？它的批次会落到哪个轴上？",
)
def no_axis_for_the_queries(lengths, n_k):
    """Shape (batch, n_k)."""
    return right_padding_mask(lengths, n_k)[:, 0]


@wrong(
    "padding_mask",
    "Does padding hide keys from every query, or does it switch off whole queries? On which axis must it lie?",
    "填充是让所有查询都看不到某些键，还是关掉整个查询？它应当放在哪个轴上？",
)
def padding_on_the_query_axis(lengths, n_k):
    """Shape (batch, n_k, 1)."""
    return np.swapaxes(right_padding_mask(lengths, n_k), -1, -2)


@wrong(
    "padding_mask",
    "Which shape does the docstring ask for, and does the function know how many queries there are?",
    "文档字符串要求什么形状？这个函数知道有多少个查询吗？",
)
def padding_on_both_axes(lengths, n_k):
    """Shape (batch, n_k, n_k), with padded queries blocked too."""
    mask = right_padding_mask(lengths, n_k)
    return mask & np.swapaxes(mask, -1, -2)


@wrong(
    "padding_mask",
    "Do all your masks need an axis for heads, or just one for the queries?",
    "你的掩码需要给头留一个轴吗？还是只需给查询留一个轴？",
)
def an_axis_for_heads(lengths, n_k):
    """Shape (batch, 1, 1, n_k)."""
    return right_padding_mask(lengths, n_k)[:, np.newaxis]


@wrong(
    "padding_mask",
    "Where do the real tokens of a sentence lie: at the beginning of its places or at the end?",
    "句子的真实词元排在前面还是后面？",
)
def padding_on_the_left(lengths, n_k):
    """The last places are the real ones."""
    return right_padding_mask(lengths, n_k)[..., ::-1]


@wrong(
    "padding_mask",
    "How wide is the mask when even the longest sentence has padding?",
    "如果最长的句子也有填充，掩码应当有多宽？",
)
def as_wide_as_the_longest(lengths, n_k):
    """As wide as the longest sentence."""
    return right_padding_mask(lengths, int(np.max(lengths)))


@wrong(
    "padding_mask",
    "Which places does the slice [-0:] mean, when a sentence has no padding?",
    "句子没有填充时，切片 [-0:] 指的是哪些位置？",
)
def sliced_from_the_end(lengths, n_k):
    """Blocks mask[b, :, -padding:], which is everything where there is no padding."""
    mask = np.ones((len(lengths), 1, n_k), dtype=bool)
    for b, length in enumerate(lengths):
        mask[b, :, -(n_k - length) :] = False
    return mask


@wrong(
    "padding_mask",
    "Which dtype does your mask have, and which must a mask have?",
    "你的掩码是什么 dtype？掩码应当是什么 dtype？",
)
def padding_mask_of_numbers(lengths, n_k):
    """Numbers 0 and 1 in place of booleans."""
    return right_padding_mask(lengths, n_k).astype(float)


@wrong(
    "padding_mask",
    "`lengths` may be a plain list: can a list be indexed like an array?",
    "`lengths` 可能是普通列表：列表能像数组那样索引吗？",
)
def lengths_must_be_an_array(lengths, n_k):
    """Indexes `lengths` as an array, which a list is not."""
    return np.arange(n_k) < lengths[:, np.newaxis, np.newaxis]


@wrong(
    "masked_softmax",
    "What do the allowed weights of a row add up to, if the blocked ones are taken away after the softmax?",
    "如果在 softmax 之后才去掉被遮住的权重，一行中允许的权重加起来是多少？",
)
def masked_after_the_softmax(scores, mask=None):
    """The softmax runs over all keys, then blocked weights are made 0."""
    weights = softmax(scores, axis=-1)
    return weights if mask is None else weights * _fitted(scores, mask)


@wrong(
    "masked_softmax",
    "If a blocked score is far above the allowed ones, how large is what you divide by, compared with your epsilon?",
    "如果被遮住的分数远高于允许的分数，你的除数有多大？与 epsilon 相比呢？",
    diagnosed=False,  # where it shows, every weight is nearly 0, as in other mistakes
)
def masked_after_with_an_epsilon(scores, mask=None):
    """Masks the weights and divides by what is left plus an epsilon."""
    if mask is None:
        return softmax(scores, axis=-1)
    weights = softmax(scores, axis=-1) * _fitted(scores, mask)
    return weights / (weights.sum(axis=-1, keepdims=True) + 1e-9)


@wrong(
    "masked_softmax",
    "Which weight does a score of 0 get beside negative scores?",
    "与负的分数放在一起时，分数 0 会得到多大的权重？",
)
def scores_times_mask(scores, mask=None):
    """Blocked scores become 0 (or -1e-9, which is the same), a score like any other."""
    return softmax(scores, axis=-1) if mask is None else softmax(np.where(_fitted(scores, mask), scores, 0.0), axis=-1)


@wrong(
    "masked_softmax",
    "The blocked weights are 0 in the end, but did the blocked keys still take a share in the softmax's sum?",
    "被遮住的权重最后是 0，但它们在 softmax 求和时是否仍占了一份？",
)
def scores_times_mask_then_zeroed(scores, mask=None):
    """Blocked scores become 0, and their weights too, after they took their share."""
    if mask is None:
        return softmax(scores, axis=-1)
    allowed = _fitted(scores, mask)
    return softmax(np.where(allowed, scores, 0.0), axis=-1) * allowed


@wrong(
    "masked_softmax",
    "True or 1 is added to an allowed score: what does your mask do to the blocked ones?",
    "允许的分数加上了 True（即 1）：你的掩码对被遮住的分数做了什么？",
)
def mask_added(scores, mask=None):
    """Adds the mask to the scores, as if it held 0 and -inf."""
    return softmax(scores, axis=-1) if mask is None else softmax(scores + _fitted(scores, mask), axis=-1)


@wrong(
    "masked_softmax",
    "Could an allowed score lie below your fill value? Scores reach -100 and further.",
    "允许的分数会不会低于你的填充值？分数可以低到 -100 甚至更低。",
)
def fill_too_weak(scores, mask=None):
    """Blocked scores become -100, which allowed scores may lie below."""
    if mask is None:
        return softmax(scores, axis=-1)
    allowed = _fitted(scores, mask)
    return softmax(np.where(allowed, scores, -100.0), axis=-1) * allowed.any(axis=-1, keepdims=True)


@wrong(
    "masked_softmax",
    "Which sign must a huge fill value have, so that its exp is 0?",
    "填充一个绝对值很大的数，要让它的 exp 为 0，应当取什么符号？",
)
def fill_of_the_wrong_sign(scores, mask=None):
    """Blocked scores become +1e9."""
    return softmax(scores, axis=-1) if mask is None else softmax(np.where(_fitted(scores, mask), scores, 1e9), axis=-1)


@wrong(
    "masked_softmax",
    "What is infinity minus infinity? Compare the sign of your fill with the direction in which exp goes to 0.",
    "无穷大减无穷大等于什么？想想 exp 在哪个方向趋于 0，再看看填充值的符号。",
)
def fill_of_plus_infinity(scores, mask=None):
    """Blocked scores become +inf, and their rows NaN."""
    return softmax(scores, axis=-1) if mask is None else softmax(np.where(_fitted(scores, mask), scores, np.inf), axis=-1)


@wrong(
    "masked_softmax",
    "What is 0 times infinity in floating point?",
    "浮点数里 0 乘以无穷大等于什么？",
)
def zero_times_infinity(scores, mask=None):
    """Adds (1 - mask) * -inf, which is NaN wherever a key is allowed."""
    return softmax(scores, axis=-1) if mask is None else softmax(scores + (1 - _fitted(scores, mask).astype(float)) * -np.inf, axis=-1)


@wrong(
    "masked_softmax",
    "Which keys get weight in your version, those with True or those with False?",
    "在你的版本里，哪些键得到了权重：True 的还是 False 的？",
)
def mask_inverted(scores, mask=None):
    """True = blocked, as in nn.MultiheadAttention and masked_fill."""
    return right_masked_softmax(scores, None if mask is None else ~_fitted(scores, mask))


@wrong(
    "masked_softmax",
    "Do your weights change when the mask changes?",
    "掩码改变时，你的权重会变吗？",
)
def mask_ignored(scores, mask=None):
    """The mask has no effect."""
    if mask is not None:
        _fitted(scores, mask)
    return softmax(scores, axis=-1)


@wrong(
    "masked_softmax",
    "What is ~1 in Python, and is it true or false?",
    "在 Python 里 ~1 等于多少？它算真还是假？",
)
def integers_inverted_bitwise(scores, mask=None):
    """Fills where ~mask is true: with integers that is everywhere."""
    if mask is None or np.asarray(mask).dtype == bool:
        return right_masked_softmax(scores, mask)
    filled = np.where(~np.broadcast_to(mask, np.shape(scores)), -1e9, scores)
    return softmax(filled, axis=-1) * _fitted(scores, mask)


@wrong(
    "masked_softmax",
    "In a row with nothing allowed, what do the exps or weights add up to, and what comes of dividing by that?",
    "如果一行什么都不允许，exp（或权重）之和是多少？除以它会得到什么？",
)
def blocked_row_is_nan(scores, mask=None):
    """-inf as the fill, or weights masked and divided by what is left: a row with nothing allowed becomes 0 / 0."""
    if mask is None:
        return softmax(scores, axis=-1)
    allowed = _fitted(scores, mask)
    return np.where(allowed.any(axis=-1, keepdims=True), right_masked_softmax(scores, mask), np.nan)


@wrong(
    "masked_softmax",
    "If all scores of a row are filled with the same number, how does the softmax share out the weight?",
    "如果一行的分数都被填成同一个数，softmax 会怎样分配权重？",
)
def blocked_row_is_uniform(scores, mask=None):
    """Fills with -1e9 and leaves it at that: a row with nothing allowed gets even weights."""
    return softmax(scores, axis=-1) if mask is None else softmax(np.where(_fitted(scores, mask), scores, -1e9), axis=-1)


@wrong(
    "masked_softmax",
    "Which axis of (..., n_q, n_k) are the keys, over which the allowed weights add up to 1?",
    "在 (..., n_q, n_k) 中哪个轴是键？允许的权重应沿哪个轴加起来等于 1？",
)
def softmax_over_the_queries(scores, mask=None):
    """The masked softmax runs over the queries."""
    turned = None if mask is None else np.swapaxes(_fitted(scores, mask), -1, -2)
    return np.swapaxes(right_masked_softmax(np.swapaxes(scores, -1, -2), turned), -1, -2)


@wrong(
    "masked_softmax",
    "A matrix as mask is one row per query: does yours take it for one row per sentence?",
    "二维掩码的每一行对应一个查询：你的代码是不是把它当成每个句子一行了？",
)
def matrix_taken_for_padding(scores, mask=None):
    """On a batch, a mask of two axes is read as (batch, n_k) where that fits."""
    if np.ndim(mask) == 2 and np.ndim(scores) > 2 and len(mask) == len(scores):
        mask = np.reshape(mask, (len(mask), *[1] * (np.ndim(scores) - 2), -1))
    return right_masked_softmax(scores, mask)


@wrong(
    "masked_softmax",
    "Indexing scores[...] with a mask needs one of the same shape: what if the mask is smaller and has to be broadcast?",
    "用掩码做索引要求形状相同：如果掩码较小、需要广播，该怎么办？",
)
def full_shape_needed(scores, mask=None):
    """Indexes the scores with the mask, which fails where it would have to be broadcast."""
    if mask is not None:
        np.array(scores)[~np.asarray(mask, dtype=bool)]
    return right_masked_softmax(scores, mask)


@wrong(
    "masked_softmax",
    "What is the shape of the result if the mask has an axis longer than the scores?",
    "如果掩码的某个轴比分数更长，结果会是什么形状？",
)
def mask_may_enlarge_the_scores(scores, mask=None):
    """np.where broadcasts both ways, and so the result can be larger than the scores."""
    if mask is None:
        return softmax(scores, axis=-1)
    both = np.broadcast_shapes(np.shape(scores), np.shape(mask))
    return right_masked_softmax(np.broadcast_to(scores, both), mask)


@wrong(
    "masked_softmax",
    "The default is no mask at all: what does your code do with None?",
    "默认是没有掩码：你的代码怎样处理 None？",
)
def none_is_no_mask_it_knows(scores, mask=None):
    """Works on the mask without asking whether there is one."""
    return right_masked_softmax(scores, np.broadcast_to(mask, np.shape(scores)) & np.True_)


@wrong(
    "masked_softmax",
    "Print the scores before and after the call: whose array do you fill?",
    "在调用前后各打印一次分数：你填充的是谁的数组？",
    diagnosed=False,
)
def scores_filled_in_place(scores, mask=None):
    """Writes the fill value into the caller's scores."""
    weights = right_masked_softmax(scores, mask)
    if mask is not None:
        scores[~_fitted(scores, mask)] = -1e9
    return weights


@wrong(
    "masked_attention",
    "With a mask, how do your scores differ from those of scaled_dot_product_attention before anything is blocked?",
    "有掩码时，在遮住任何键之前，你的分数与 scaled_dot_product_attention 的有什么不同？",
)
def no_scale_under_a_mask(Q, K, V, mask=None):
    """The scores are not divided where there is a mask."""
    return right_masked_attention(np.asarray(Q) * np.sqrt(np.shape(Q)[-1]) if mask is not None else Q, K, V, mask)


@wrong(
    "masked_attention",
    "How often are your scores divided between the product and the softmax?",
    "从点积到 softmax，你的分数一共被除了几次？",
)
def scaled_twice(Q, K, V, mask=None):
    """Divides by the root of d_k twice where there is a mask."""
    return right_masked_attention(np.asarray(Q) / np.sqrt(np.shape(Q)[-1]) if mask is not None else Q, K, V, mask)


@wrong(
    "masked_attention",
    "Which width belongs in the scale: that of the keys or that of the values?",
    "缩放应当用哪个维数：键的还是值的？",
)
def root_of_the_values_width(Q, K, V, mask=None):
    """Divides by the root of d_v where there is a mask."""
    scale = 1.0 if mask is None else np.sqrt(np.shape(Q)[-1] / np.shape(V)[-1])
    return right_masked_attention(np.asarray(Q) * scale, K, V, mask)


@wrong(
    "masked_attention",
    "Where does your masked_attention hand the mask on?",
    "你的 masked_attention 在哪里把掩码传下去？",
)
def mask_not_handed_on(Q, K, V, mask=None):
    """Checks the mask and then attends without it."""
    right_masked_attention(Q, K, V, mask)
    return right_attention(Q, K, V)


@wrong(
    "masked_attention",
    "Your weights are right: are they the ones that multiply the values?",
    "你的权重是对的：与值相乘的是这些权重吗？",
)
def output_of_plain_attention(Q, K, V, mask=None):
    """Masked weights, but the output of plain attention."""
    return right_attention(Q, K, V)[0], right_masked_attention(Q, K, V, mask)[1]


@wrong(
    "masked_attention",
    "Your output is right: does `weights` show what the mask did?",
    "你的输出是对的：返回的 `weights` 反映掩码的作用了吗？",
)
def weights_of_plain_attention(Q, K, V, mask=None):
    """The output is masked, the weights returned are those of plain attention."""
    return right_masked_attention(Q, K, V, mask)[0], right_attention(Q, K, V)[1]


@wrong(
    "masked_attention",
    "Rows of the mask belong to queries, columns to keys: is yours still that way round when it meets the scores?",
    "掩码的行对应查询，列对应键：与分数相遇时，你的掩码方向还是这样吗？",
)
def mask_transposed(Q, K, V, mask=None):
    """The mask is transposed before it meets the scores, wherever that is silent."""
    if mask is not None and np.shape(Q)[-2] == np.shape(K)[-2]:
        mask = np.swapaxes(np.broadcast_to(mask, right_attention(Q, K, V)[1].shape), -1, -2)
    return right_masked_attention(Q, K, V, mask)


@wrong(
    "masked_attention",
    "Is a missing mask the same as a causal one? A sentence may well be read in both directions.",
    "没有掩码等于因果掩码吗？句子完全可以双向阅读。",
)
def causal_without_a_mask(Q, K, V, mask=None):
    """Without a mask it is causal."""
    return right_masked_attention(Q, K, V, right_causal_mask(np.shape(Q)[-2], np.shape(K)[-2]) if mask is None else mask)


@wrong(
    "masked_attention",
    "What does a query know that may attend to nothing: the average of what it must not see?",
    "一个什么都不能看的查询能知道什么？难道是它不该看的内容的平均值？",
)
def blocked_query_gets_the_mean(Q, K, V, mask=None):
    """A query that sees nothing has weights 0 but the mean of the values as output."""
    output, weights = right_masked_attention(Q, K, V, mask)
    return np.where(weights.any(axis=-1, keepdims=True), output, np.mean(V, axis=-2, keepdims=True)), weights


@wrong(
    "masked_attention",
    "In which order are the two results to be returned?",
    "两个结果应当按什么顺序返回？",
)
def weights_before_output(Q, K, V, mask=None):
    """The two results in the other order."""
    return right_masked_attention(Q, K, V, mask)[::-1]


@wrong(
    "masked_attention",
    "What does K.T do with the batch axis?",
    "K.T 会怎样对待批次轴？",
    diagnosed=False,  # an exception in masked_softmax looks the same from here
)
def every_axis_transposed(Q, K, V, mask=None):
    """K.T, which reverses the batch axis too."""
    right_masked_attention(Q, K, V, mask)
    weights = right_masked_softmax(np.asarray(Q) @ np.asarray(K).T / np.sqrt(np.shape(K)[-1]), mask)
    return weights @ V, weights


@wrong(
    "masked_attention",
    "If K is only 1 wide and Q is wider, does your code refuse it, or does it quietly stretch K?",
    "如果 K 的维数只有 1 而 Q 更大，你的代码会拒绝，还是悄悄把 K 拉伸？",
)
def width_of_one_stretched(Q, K, V, mask=None):
    """No check: an einsum or a product with broadcasting takes a d_k of 1 for any width."""
    Q, K = np.asarray(Q), np.asarray(K)
    return right_masked_attention(Q, np.broadcast_to(K, (*K.shape[:-1], Q.shape[-1])) if K.shape[-1] == 1 else K, V, mask)


def _fitted(scores, mask):
    """The mask as booleans in the shape of the scores; ValueError where it does not fit."""
    return np.broadcast_to(np.asarray(mask, dtype=bool), np.shape(scores))
