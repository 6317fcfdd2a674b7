"""What learners get wrong in exercise `scaling`."""

import numpy as np

from autograder.misconceptions.catalogue import wrong
from solutions.scaling import softmax_jacobian as right_jacobian
from solutions.softmax import softmax


def draw(d_k, n_pairs, seed):
    """Queries and keys as the stub asks for them: one generator, first the queries."""
    generator = np.random.default_rng(seed)
    return generator.normal(size=(n_pairs, d_k)), generator.normal(size=(n_pairs, d_k))


@wrong(
    "dot_product_std",
    "Which power of d_k does the variance of q·k grow with, and which the standard deviation?",
    "q·k 的方差随 d_k 的几次方增长？标准差呢？",
)
def variance(d_k, n_pairs=10_000, seed=0):
    """The variance in place of the standard deviation."""
    queries, keys = draw(d_k, n_pairs, seed)
    products = (queries * keys).sum(axis=1)
    return products.var(), (products / np.sqrt(d_k)).var()


@wrong(
    "dot_product_std",
    "If the products spread like √d_k, what spread is left after your division?",
    "点积的离散程度像 √d_k 那样增长；经过你的除法之后还剩多少？",
)
def divided_by_d_k(d_k, n_pairs=10_000, seed=0):
    """Divides by d_k in place of its root."""
    queries, keys = draw(d_k, n_pairs, seed)
    products = (queries * keys).sum(axis=1)
    return products.std(), (products / d_k).std()


@wrong(
    "dot_product_std",
    "Does your scaling make the spread smaller or larger, and which do you want?",
    "你的缩放让离散程度变小了还是变大了？你想要的是哪一种？",
)
def multiplied_by_the_root(d_k, n_pairs=10_000, seed=0):
    """Multiplies by the root of d_k."""
    queries, keys = draw(d_k, n_pairs, seed)
    products = (queries * keys).sum(axis=1)
    return products.std(), (products * np.sqrt(d_k)).std()


@wrong(
    "dot_product_std",
    "Two generators with one seed draw the same numbers: how does each of your keys compare with its query?",
    "种子相同的两个生成器抽出的数也相同：你的每个键与对应的查询有什么关系？",
)
def every_key_is_its_query(d_k, n_pairs=10_000, seed=0):
    """Queries and keys from two generators with the same seed."""
    queries, keys = (np.random.default_rng(seed).normal(size=(n_pairs, d_k)) for _ in range(2))
    products = (queries * keys).sum(axis=1)
    return products.std(), (products / np.sqrt(d_k)).std()


@wrong(
    "dot_product_std",
    "A dot product of two vectors is one number: over what do you average or sum, and how does that change its spread?",
    "两个向量的点积是一个数：你是求和还是求平均？这会怎样改变离散程度？",
)
def mean_for_the_sum(d_k, n_pairs=10_000, seed=0):
    """The mean of the d_k products in place of their sum."""
    queries, keys = draw(d_k, n_pairs, seed)
    products = (queries * keys).mean(axis=1)
    return products.std(), (products / np.sqrt(d_k)).std()


@wrong(
    "dot_product_std",
    "How many dot products should there be, n_pairs or d_k? Look at the axis of your sum.",
    "应该有多少个点积：n_pairs 个还是 d_k 个？看看求和的轴。",
)
def summed_over_the_pairs(d_k, n_pairs=10_000, seed=0):
    """Sums over the pairs in place of the d_k entries."""
    queries, keys = draw(d_k, n_pairs, seed)
    products = (queries * keys).sum(axis=0)
    return products.std(), (products / np.sqrt(d_k)).std()


@wrong(
    "dot_product_std",
    "Where does your code sum over the d_k entries of a pair?",
    "你的代码在哪里对一对向量的 d_k 个分量求和？",
)
def never_summed(d_k, n_pairs=10_000, seed=0):
    """The spread of the single products q_i k_i."""
    queries, keys = draw(d_k, n_pairs, seed)
    products = queries * keys
    return products.std(), (products / np.sqrt(d_k)).std()


@wrong(
    "dot_product_std",
    "Which distribution do the entries come from, and what are its mean and its standard deviation?",
    "各分量来自什么分布？它的均值和标准差是多少？",
)
def uniform_entries(d_k, n_pairs=10_000, seed=0):
    """Draws uniform numbers from 0 to 1 in place of N(0, 1)."""
    generator = np.random.default_rng(seed)
    products = (generator.random((n_pairs, d_k)) * generator.random((n_pairs, d_k))).sum(axis=1)
    return products.std(), (products / np.sqrt(d_k)).std()


@wrong(
    "dot_product_std",
    "The formula says what to expect; how would you find the same by an experiment with random pairs?",
    "公式给出的是预期值；怎样用随机向量对做实验来验证它？",
)
def computed_from_d_k(d_k, n_pairs=10_000, seed=0):
    """Returns what theory says and draws nothing."""
    return np.sqrt(d_k), 1.0


@wrong(
    "dot_product_std",
    "The first number is measured; is the second one measured too, or taken for granted?",
    "第一个数是测出来的；第二个数也是测出来的，还是直接当成已知？",
)
def scaled_taken_for_granted(d_k, n_pairs=10_000, seed=0):
    """Measures the raw number and returns 1 for the scaled one."""
    queries, keys = draw(d_k, n_pairs, seed)
    return (queries * keys).sum(axis=1).std(), 1.0


@wrong(
    "dot_product_std",
    "In which order are the two numbers to be returned?",
    "这两个数应当按什么顺序返回？",
)
def scaled_before_raw(d_k, n_pairs=10_000, seed=0):
    """The two numbers in the other order."""
    queries, keys = draw(d_k, n_pairs, seed)
    products = (queries * keys).sum(axis=1)
    return (products / np.sqrt(d_k)).std(), products.std()


@wrong(
    "dot_product_std",
    "Call it with two different seeds: where in your code does `seed` make a difference?",
    "用两个不同的种子各调用一次：`seed` 在你的代码里哪一步起作用？",
)
def seed_ignored(d_k, n_pairs=10_000, seed=0):
    """Always the generator of seed 0."""
    queries, keys = draw(d_k, n_pairs, 0)
    products = (queries * keys).sum(axis=1)
    return products.std(), (products / np.sqrt(d_k)).std()


@wrong(
    "dot_product_std",
    "Call it twice with the same seed: does your generator know the seed?",
    "用同一个种子调用两次：你的随机数生成器知道这个种子吗？",
    diagnosed=False,
)
def never_seeded(d_k, n_pairs=10_000, seed=0):
    """A generator without a seed."""
    queries, keys = draw(d_k, n_pairs, None)
    products = (queries * keys).sum(axis=1)
    return products.std(), (products / np.sqrt(d_k)).std()


@wrong(
    "dot_product_std",
    "How many pairs does your code draw when n_pairs is 4?",
    "当 n_pairs 为 4 时，你的代码抽取了多少对向量？",
)
def number_of_pairs_ignored(d_k, n_pairs=10_000, seed=0):
    """Always draws 10,000 pairs."""
    queries, keys = draw(d_k, 10_000, seed)
    products = (queries * keys).sum(axis=1)
    return products.std(), (products / np.sqrt(d_k)).std()


@wrong(
    "softmax_jacobian",
    "A score changes its own weight too: what does the quotient rule give for i = j, beside the product of two weights?",
    "分数也会改变它自己的权重：i = j 时，商法则除了两个权重之积还给出哪一项？",
)
def no_diagonal(weights):
    """Only the outer product, -w wᵀ."""
    weights = np.asarray(weights)
    return -weights[..., :, np.newaxis] * weights[..., np.newaxis, :]


@wrong(
    "softmax_jacobian",
    "Raising one score takes weight from the others: which entries of your matrix tell how much?",
    "提高一个分数会从其他权重那里拿走一部分：矩阵中哪些元素表示拿走了多少？",
)
def off_diagonal_zero(weights):
    """w (1 - w) on the diagonal and 0 elsewhere, as if each weight knew its own score only."""
    weights = np.asarray(weights)
    return np.eye(weights.shape[-1]) * (weights * (1 - weights))[..., np.newaxis]


@wrong(
    "softmax_jacobian",
    "w (1 - w) is the derivative of a sigmoid: how many derivatives do n weights have by n scores?",
    "w (1 - w) 是 sigmoid 的导数：n 个权重对 n 个分数共有多少个导数？",
)
def derivative_of_a_sigmoid(weights):
    """w (1 - w), one number a weight."""
    weights = np.asarray(weights)
    return weights * (1 - weights)


@wrong(
    "softmax_jacobian",
    "If score j rises, does weight i (i ≠ j) rise or fall? Compare the sign of your entry (i, j).",
    "分数 j 上升时，权重 i（i ≠ j）是升还是降？对照一下第 (i, j) 项的符号。",
)
def outer_product_added(weights):
    """diag(w) + w wᵀ."""
    weights = np.asarray(weights)
    w_i, w_j = weights[..., :, np.newaxis], weights[..., np.newaxis, :]
    return w_i * (np.eye(weights.shape[-1]) + w_j)


@wrong(
    "softmax_jacobian",
    "If a score rises, does its own weight rise or fall? Compare the sign of your diagonal.",
    "一个分数上升时，它自己的权重是升还是降？对照一下对角线的符号。",
)
def all_signs_turned(weights):
    """w wᵀ - diag(w)."""
    return -right_jacobian(weights)


@wrong(
    "softmax_jacobian",
    "What stands on the diagonal before the outer product is subtracted: ones, or something that depends on the row?",
    "减去外积之前，对角线上是 1，还是与这一行有关的数？",
)
def identity_for_the_diagonal(weights):
    """The identity matrix in place of diag(w)."""
    weights = np.asarray(weights)
    return np.eye(weights.shape[-1]) - weights[..., :, np.newaxis] * weights[..., np.newaxis, :]


@wrong(
    "softmax_jacobian",
    "Is the argument the scores, or what the softmax made of them?",
    "参数是分数，还是 softmax 之后的结果？",
)
def weights_taken_for_scores(weights):
    """Takes a softmax of the weights first."""
    return right_jacobian(softmax(weights))


@wrong(
    "softmax_jacobian",
    "What do np.diag and np.outer do with a batch of rows, and what shape should come out for (batch, n)?",
    "np.diag 和 np.outer 对一批行会做什么？输入 (batch, n) 时结果应是什么形状？",
)
def one_row_only(weights):
    """np.diag and np.outer, which know one row only."""
    weights = np.asarray(weights)
    return np.diag(weights) - np.outer(weights, weights)


@wrong(
    "softmax_jacobian",
    "May the weights of one row of the batch meet those of another? Each row has a matrix of its own.",
    "批次中一行的权重能与另一行的相乘吗？每一行都有自己的矩阵。",
)
def rows_of_the_batch_multiplied(weights):
    """One matrix product over all rows, so that the outer products of the batch are added up."""
    weights = np.asarray(weights)
    rows = weights.reshape(-1, weights.shape[-1])
    return weights[..., np.newaxis] * np.eye(weights.shape[-1]) - rows.T @ rows
