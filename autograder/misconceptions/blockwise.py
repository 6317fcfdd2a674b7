"""What learners get wrong in exercise `blockwise`."""

import numpy as np

from autograder.misconceptions.catalogue import wrong
from solutions.blockwise import blockwise_attention as right
from solutions.masking import causal_mask, masked_attention


def blocks(Q, K, V, block_size, causal, shift=0):
    """Each block's scores and values, one after the other; what a query must not see has the score -inf."""
    n_q, n_k = Q.shape[-2], K.shape[-2]
    positions = np.arange(n_q)[:, np.newaxis] + (n_k - n_q) + shift
    for start in range(0, n_k, block_size):
        keys = slice(start, start + block_size)
        scores = Q @ np.swapaxes(K[..., keys, :], -1, -2) / np.sqrt(Q.shape[-1])
        if causal:
            scores = np.where(start + np.arange(scores.shape[-1]) <= positions, scores, -np.inf)
        yield scores, V[..., keys, :]


def sums(each, *, factor_of_total=np.exp, factor_of_mixed=np.exp):
    """The sum of exp times value and the sum of exp, block by block.

    The factors say by what a sum is multiplied where the largest score grows by -difference.
    """
    largest = total = mixed = None
    for scores, values in each:
        top = scores.max(axis=-1, keepdims=True)
        if largest is None:
            largest, total, mixed = np.full_like(top, -np.inf), np.zeros_like(top), 0.0
        before, largest = largest, np.maximum(largest, top)
        base = np.where(largest == -np.inf, 0.0, largest)
        exps = np.exp(scores - base)
        total = total * factor_of_total(before - base) + exps.sum(axis=-1, keepdims=True)
        mixed = mixed * factor_of_mixed(before - base) + exps @ values
    return mixed, total


def online(each, **factors):
    """The quotient of the two sums; 0 for a query that saw nothing."""
    mixed, total = sums(each, **factors)
    return mixed / np.where(total == 0.0, 1.0, total)


def softmax_of_block(scores):
    """The weights within one block; none for a query that sees nothing of it."""
    top = scores.max(axis=-1, keepdims=True)
    exps = np.exp(scores - np.where(top == -np.inf, 0.0, top))
    total = exps.sum(axis=-1, keepdims=True)
    return exps / np.where(total == 0.0, 1.0, total)


def one(difference):
    """No factor."""
    return np.ones_like(difference)


@wrong(
    "blockwise_attention",
    "A block brings a larger score than all before. To which largest score do your sums so far still belong?",
    "某一块带来了比之前都大的分数。此时你已有的和对应的还是哪个最大值？",
)
def sums_not_rescaled(Q, K, V, block_size=128, causal=False):
    """Neither sum is brought to the new largest score."""
    return online(blocks(Q, K, V, block_size, causal), factor_of_total=one, factor_of_mixed=one)


@wrong(
    "blockwise_attention",
    "Numerator and denominator must belong to the same largest score. Is that so for your sum of exps?",
    "分子和分母必须对应同一个最大值。你的 exp 之和也是这样吗？",
)
def denominator_not_rescaled(Q, K, V, block_size=128, causal=False):
    """Only the sum of values is brought to the new largest score."""
    return online(blocks(Q, K, V, block_size, causal), factor_of_total=one)


@wrong(
    "blockwise_attention",
    "Numerator and denominator must belong to the same largest score. Is that so for your sum of values?",
    "分子和分母必须对应同一个最大值。你的加权值之和也是这样吗？",
)
def numerator_not_rescaled(Q, K, V, block_size=128, causal=False):
    """Only the sum of exps is brought to the new largest score."""
    return online(blocks(Q, K, V, block_size, causal), factor_of_mixed=one)


@wrong(
    "blockwise_attention",
    "Where the largest score grows, do the old exps become larger or smaller?",
    "最大值变大时，旧的 exp 应当变大还是变小？",
)
def factor_the_wrong_way_round(Q, K, V, block_size=128, causal=False):
    """Multiplies by exp(new - old)."""

    def inverse(difference):
        return np.where(difference == -np.inf, 0.0, np.exp(-np.maximum(difference, -1e300)))

    return online(blocks(Q, K, V, block_size, causal), factor_of_total=inverse, factor_of_mixed=inverse)


@wrong(
    "blockwise_attention",
    "Does a block of very small scores count as much as one of large scores?",
    "分数很小的一块，与分数很大的一块，应当占一样的分量吗？",
)
def mean_of_the_blocks(Q, K, V, block_size=128, causal=False):
    """A softmax in each block, and the mean of the blocks' outputs."""
    return sum_of_the_blocks(Q, K, V, block_size, causal) / -(-K.shape[-2] // block_size)


@wrong(
    "blockwise_attention",
    "What do the weights of all blocks together add up to?",
    "所有块的权重加在一起是多少？",
)
def sum_of_the_blocks(Q, K, V, block_size=128, causal=False):
    """A softmax in each block, and the sum of the blocks' outputs."""
    return sum(softmax_of_block(scores) @ values for scores, values in blocks(Q, K, V, block_size, causal))


@wrong(
    "blockwise_attention",
    "How many keys does your loop see where block_size does not divide n_k?",
    "block_size 不能整除 n_k 时，你的循环看到了多少个键？",
)
def last_block_dropped(Q, K, V, block_size=128, causal=False):
    """n_k // block_size blocks: the last, shorter one is left out."""
    rest = K.shape[-2] % block_size
    if rest == K.shape[-2]:
        return np.zeros((*Q.shape[:-1], V.shape[-1]))
    whole = slice(K.shape[-2] - rest)
    return online(blocks(Q, K[..., whole, :], V[..., whole, :], block_size, causal, shift=rest))


@wrong(
    "blockwise_attention",
    "What does exp make of a score of 8000? Which number do you subtract first?",
    "exp 遇到 8000 的分数会得到什么？你事先减去了哪个数？",
)
def no_largest_score(Q, K, V, block_size=128, causal=False):
    """exp of the raw scores, nothing subtracted."""
    total = mixed = 0.0
    for scores, values in blocks(Q, K, V, block_size, causal):
        exps = np.exp(scores)
        total, mixed = total + exps.sum(axis=-1, keepdims=True), mixed + exps @ values
    return mixed / np.where(total == 0.0, 1.0, total)


@wrong(
    "blockwise_attention",
    "The largest score so far: smaller than which number can it never become in your code, and are all scores above it?",
    "“到目前为止的最大分数”在你的代码里不会小于哪个数？所有分数都比它大吗？",
)
def largest_score_starts_at_0(Q, K, V, block_size=128, causal=False):
    """The largest score starts at 0, so that very negative scores all vanish."""
    total = mixed = largest = 0.0
    for scores, values in blocks(Q, K, V, block_size, causal):
        before, largest = largest, np.maximum(largest, scores.max(axis=-1, keepdims=True))
        exps, shrink = np.exp(scores - largest), np.exp(before - largest)
        total, mixed = total * shrink + exps.sum(axis=-1, keepdims=True), mixed * shrink + exps @ values
    return mixed / np.where(total == 0.0, 1.0, total)


@wrong(
    "blockwise_attention",
    "Whose largest score do you subtract: each query's own, or that of all queries?",
    "你减去的是谁的最大分数：每个查询自己的，还是所有查询的？",
)
def one_largest_score_for_all(Q, K, V, block_size=128, causal=False):
    """One largest score for all queries, so that a query with small scores has nothing left."""
    total = mixed = 0.0
    largest = -np.inf
    for scores, values in blocks(Q, K, V, block_size, causal):
        before, largest = largest, max(largest, scores.max())
        base = 0.0 if largest == -np.inf else largest
        exps, shrink = np.exp(scores - base), np.exp(before - base)
        total, mixed = total * shrink + exps.sum(axis=-1, keepdims=True), mixed * shrink + exps @ values
    return mixed / np.where(total == 0.0, 1.0, total)


@wrong(
    "blockwise_attention",
    "You have two sums. What is done with them after the last block?",
    "你有两个和。最后一块之后要对它们做什么？",
)
def not_divided_at_the_end(Q, K, V, block_size=128, causal=False):
    """Returns the sum of exp times value, not divided by the sum of exp."""
    return sums(blocks(Q, K, V, block_size, causal))[0]


@wrong(
    "blockwise_attention",
    "What is done to dot products before the softmax in every attention of the course?",
    "本课程的每个注意力中，点积在 softmax 之前要做什么处理？",
)
def not_scaled(Q, K, V, block_size=128, causal=False):
    """The plain dot product, without the division."""
    return right(Q * np.sqrt(Q.shape[-1]), K, V, block_size, causal)


@wrong(
    "blockwise_attention",
    "Does the output change with block_size? Which width belongs under the root?",
    "输出会随 block_size 改变吗？根号下应当是哪个维数？",
)
def scaled_by_the_block_size(Q, K, V, block_size=128, causal=False):
    """Divides by the root of the block size."""
    return right(Q * np.sqrt(Q.shape[-1] / block_size), K, V, block_size, causal)


@wrong(
    "blockwise_attention",
    "What does `causal` change in your code?",
    "`causal` 在你的代码里改变了什么？",
)
def causal_ignored(Q, K, V, block_size=128, causal=False):
    """Every query sees every key."""
    return right(Q, K, V, block_size)


@wrong(
    "blockwise_attention",
    "With fewer queries than keys, which key stands beside the last query?",
    "查询比键少时，最后一个查询对应哪个键？",
)
def first_query_at_the_first_key(Q, K, V, block_size=128, causal=False):
    """Aligns the first query with the first key."""
    return online(blocks(Q, K, V, block_size, causal, shift=Q.shape[-2] - K.shape[-2]))


@wrong(
    "blockwise_attention",
    "May a token attend to itself?",
    "词元可以关注自己吗？",
)
def own_position_blocked(Q, K, V, block_size=128, causal=False):
    """A query sees only what is before its own position."""
    return online(blocks(Q, K, V, block_size, causal, shift=-1))


@wrong(
    "blockwise_attention",
    "Which is the last key that the first query of a square attention may see? Count from 0.",
    "查询与键一样多时，第一个查询最多能看到哪个键？从 0 数起。",
)
def one_key_of_the_future(Q, K, V, block_size=128, causal=False):
    """A query sees one key after its own position."""
    return online(blocks(Q, K, V, block_size, causal, shift=1))


@wrong(
    "blockwise_attention",
    "At which position among ALL keys does the first key of your second block stand?",
    "第二块的第一个键，在全部键中处于哪个位置？",
)
def positions_begin_anew_in_each_block(Q, K, V, block_size=128, causal=False):
    """Compares positions within the block, so that every block is taken for the first."""
    if not causal:
        return right(Q, K, V, block_size)
    positions = np.arange(Q.shape[-2])[:, np.newaxis] + (K.shape[-2] - Q.shape[-2])
    each = blocks(Q, K, V, block_size, False)
    return online((np.where(np.arange(scores.shape[-1]) <= positions, scores, -np.inf), values) for scores, values in each)


@wrong(
    "blockwise_attention",
    "A block holds keys before and after a query's position. Is leaving out whole blocks enough?",
    "一块里既有查询位置之前的键，也有之后的键。只跳过整块够吗？",
)
def whole_blocks_left_out_alone(Q, K, V, block_size=128, causal=False):
    """Leaves out blocks that lie in the future, but masks nothing within a block."""
    if not causal:
        return right(Q, K, V, block_size)
    positions = np.arange(Q.shape[-2])[:, np.newaxis] + (K.shape[-2] - Q.shape[-2])
    each = enumerate(blocks(Q, K, V, block_size, False))
    return online((np.where(i * block_size <= positions, scores, -np.inf), values) for i, (scores, values) in each)


@wrong(
    "blockwise_attention",
    "Where all scores of a query are the same large negative number, what does the softmax give?",
    "一个查询的所有分数都是同一个很大的负数时，softmax 给出什么？",
)
def mean_where_nothing_is_seen(Q, K, V, block_size=128, causal=False):
    """A query that sees nothing gets the mean of the values, by a fill of -1e9."""
    each = blocks(Q, K, V, block_size, causal)
    return online((np.where(scores == -np.inf, -1e9, scores), values) for scores, values in each)


@wrong(
    "blockwise_attention",
    "A query sees nothing of a block. What is -inf minus -inf, and what do you divide by if it sees nothing at all?",
    "某个查询在一块里什么都看不到：-inf 减 -inf 等于什么？若它始终什么都看不到，你除以的又是什么？",
)
def nan_where_nothing_is_seen(Q, K, V, block_size=128, causal=False):
    """-inf minus -inf for a query that sees nothing: NaN."""
    total = mixed = 0.0
    largest = -np.inf
    for scores, values in blocks(Q, K, V, block_size, causal):
        before, largest = largest, np.maximum(largest, scores.max(axis=-1, keepdims=True))
        exps, shrink = np.exp(scores - largest), np.exp(before - largest)
        total, mixed = total * shrink + exps.sum(axis=-1, keepdims=True), mixed * shrink + exps @ values
    return mixed / total


@wrong(
    "blockwise_attention",
    "How many numbers does your largest array hold where n_q = n_k = 4096?",
    "n_q = n_k = 4096 时，你最大的数组里有多少个数？",
    diagnosed=False,
)
def the_whole_matrix(Q, K, V, block_size=128, causal=False):
    """Plain attention with all scores at once."""
    return masked_attention(Q, K, V, causal_mask(Q.shape[-2], K.shape[-2]) if causal else None)[0]


@wrong(
    "blockwise_attention",
    "Your blocks are small. How many of them are still held at the end?",
    "你的每一块都很小，但到最后还保留着多少块？",
    diagnosed=False,
)
def all_blocks_kept(Q, K, V, block_size=128, causal=False):
    """Computes the scores by blocks and keeps all of them."""
    scores = np.concatenate([scores for scores, _ in blocks(Q, K, V, block_size, causal)], axis=-1)
    return softmax_of_block(scores) @ V
