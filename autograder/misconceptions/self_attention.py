"""What learners get wrong in exercise `self_attention`."""

import numpy as np

from autograder.misconceptions.catalogue import wrong
from solutions.masking import masked_attention
from solutions.softmax import softmax


def projected(self, X):
    """Queries, keys and values as they should be."""
    return X @ self.W_Q, X @ self.W_K, X @ self.W_V


def finished(self, output):
    """The output projection as it should be."""
    return output if self.W_O is None else output @ self.W_O


def scores_of(self, X):
    """The scaled scores as they should be, and the values."""
    Q, K, V = projected(self, X)
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]), V


def start_with(self, draw, d_model, d_k, d_v, d_out):
    """Four matrices of the right shapes, each from draw(fan_in, fan_out)."""
    self.W_Q, self.W_K, self.W_V = draw(d_model, d_k), draw(d_model, d_k), draw(d_model, d_v)
    self.W_O = None if d_out is None else draw(d_v, d_out)


def xavier(rng):
    """A right draw."""
    return lambda fan_in, fan_out: rng.normal(0.0, np.sqrt(2.0 / (fan_in + fan_out)), size=(fan_in, fan_out))


@wrong(
    "SelfAttention.forward",
    "Which of the four matrices of your model does `forward` never use?",
    "模型的四个矩阵中，哪一个在 `forward` 里从未用到？",
)
def output_not_projected(self, X, mask=None):
    """W_O is drawn and never used."""
    return masked_attention(*projected(self, X), mask)


@wrong(
    "SelfAttention.forward",
    "Row i of the scores belongs to token i as the one that asks: which matrix makes its question, and which makes the keys?",
    "分数的第 i 行属于“提问”的词元 i：它的查询由哪个矩阵得到，键又由哪个矩阵得到？",
)
def queries_and_keys_swapped(self, X, mask=None):
    """Queries from W_K, keys from W_Q."""
    Q, K, V = projected(self, X)
    output, weights = masked_attention(K, Q, V, mask)
    return finished(self, output), weights


@wrong(
    "SelfAttention.forward",
    "Do your keys have a matrix of their own, or do they repeat the queries?",
    "你的键用的是自己的矩阵，还是重复了查询？",
)
def keys_from_the_query_matrix(self, X, mask=None):
    """K = X W_Q as well."""
    Q, _, V = projected(self, X)
    output, weights = masked_attention(Q, Q, V, mask)
    return finished(self, output), weights


@wrong(
    "SelfAttention.forward",
    "What exactly do the weights average: the tokens of X, or something made from them?",
    "权重加权平均的究竟是什么：X 中的词元本身，还是由它们得到的另一组向量？",
)
def values_not_projected(self, X, mask=None):
    """Averages X itself in place of X W_V."""
    Q, K, _ = projected(self, X)
    output, weights = masked_attention(Q, K, X, mask)
    return finished(self, output), weights


@wrong(
    "SelfAttention.forward",
    "Keys decide who is looked at; what is it that is handed over then?",
    "键决定关注谁；那么真正被取走的内容是什么？",
)
def averages_the_keys(self, X, mask=None):
    """The weighted average is taken over the keys."""
    Q, K, _ = projected(self, X)
    output, weights = masked_attention(Q, K, K, mask)
    return finished(self, output), weights


@wrong(
    "SelfAttention.forward",
    "How do the scores grow when the keys get wider, and what in the formula makes up for it?",
    "键越宽，分数会怎样变大？公式里的哪一步抵消了它？",
)
def scores_not_scaled(self, X, mask=None):
    """No division by the root of d_k."""
    Q, K, V = projected(self, X)
    output, weights = masked_attention(Q * np.sqrt(Q.shape[-1]), K, V, mask)
    return finished(self, output), weights


@wrong(
    "SelfAttention.forward",
    "Over how many products does one score add up: is that the width of X?",
    "一个分数是多少个乘积之和？这个数等于 X 的宽度吗？",
)
def scaled_by_d_model(self, X, mask=None):
    """Divides by the root of d_model in place of d_k."""
    Q, K, V = projected(self, X)
    output, weights = masked_attention(Q * np.sqrt(Q.shape[-1] / X.shape[-1]), K, V, mask)
    return finished(self, output), weights


@wrong(
    "SelfAttention.forward",
    "Which vectors are multiplied to get a score, and how long are they: are the values among them?",
    "分数是由哪些向量相乘得到的？它们有多长？其中有值向量吗？",
)
def scaled_by_d_v(self, X, mask=None):
    """Divides by the root of d_v in place of d_k."""
    Q, K, V = projected(self, X)
    output, weights = masked_attention(Q * np.sqrt(Q.shape[-1] / V.shape[-1]), K, V, mask)
    return finished(self, output), weights


@wrong(
    "SelfAttention.forward",
    "Does your result change when a mask is passed?",
    "传入掩码之后，你的结果有变化吗？",
)
def mask_ignored(self, X, mask=None):
    """The mask is accepted and not used."""
    output, weights = masked_attention(*projected(self, X))
    return finished(self, output), weights


@wrong(
    "SelfAttention.forward",
    "What does True in a mask mean in this course: may attend, or blocked?",
    "在本课程里，掩码中的 True 表示允许关注，还是表示屏蔽？",
)
def mask_with_the_opposite_meaning(self, X, mask=None):
    """True blocks, as in nn.MultiheadAttention."""
    output, weights = masked_attention(*projected(self, X), None if mask is None else np.logical_not(mask))
    return finished(self, output), weights


@wrong(
    "SelfAttention.forward",
    "Do the weights of a row still add up to 1 once the mask has been applied?",
    "应用掩码之后，一行的权重之和还是 1 吗？",
)
def mask_after_the_softmax(self, X, mask=None):
    """Blocked weights are set to 0 after the softmax, the rest is left as it was."""
    scores, V = scores_of(self, X)
    weights = softmax(scores, axis=-1)
    if mask is not None:
        weights = weights * np.broadcast_to(mask, weights.shape)
    return finished(self, weights @ V), weights


@wrong(
    "SelfAttention.forward",
    "A blocked key gets the score 0 here: is 0 a small score?",
    "被屏蔽的键在这里得到分数 0：0 算是很小的分数吗？",
)
def scores_times_the_mask(self, X, mask=None):
    """Blocked scores become 0 before the softmax."""
    scores, V = scores_of(self, X)
    weights = softmax(scores if mask is None else scores * np.broadcast_to(mask, scores.shape), axis=-1)
    return finished(self, weights @ V), weights


@wrong(
    "SelfAttention.forward",
    "Which axis of the mask stands for the queries, and which for the keys?",
    "掩码的哪个轴对应查询，哪个轴对应键？",
)
def mask_on_the_query_axis(self, X, mask=None):
    """The mask's last two axes change places, so that padding blocks queries."""
    output, weights = masked_attention(*projected(self, X), None if mask is None else np.swapaxes(mask, -1, -2))
    return finished(self, output), weights


@wrong(
    "SelfAttention.forward",
    "Who asked for a causal mask in a call without one?",
    "调用时没有传掩码，为什么后面的词元被挡住了？",
)
def always_causal(self, X, mask=None):
    """Hides the future though no mask was given."""
    output, weights = masked_attention(*projected(self, X), np.tri(X.shape[-2], dtype=bool) if mask is None else mask)
    return finished(self, output), weights


@wrong(
    "SelfAttention.forward",
    "What becomes of a row whose scores are all filled with the same very negative number?",
    "如果一行分数全被填成同一个很大的负数，softmax 之后这一行会是什么？",
)
def blocked_token_sees_everything(self, X, mask=None):
    """A fill of -1e9 leaves a blocked row with equal weights."""
    scores, V = scores_of(self, X)
    weights = softmax(scores if mask is None else np.where(np.broadcast_to(mask, scores.shape), scores, -1e9), axis=-1)
    return finished(self, weights @ V), weights


@wrong(
    "SelfAttention.forward",
    "What does the softmax give for a row in which every score is minus infinity?",
    "如果一行的分数全是负无穷，softmax 会得到什么？",
)
def blocked_token_is_nan(self, X, mask=None):
    """A fill of -inf, and a blocked row is 0 / 0."""
    scores, V = scores_of(self, X)
    if mask is not None:
        scores = np.where(np.broadcast_to(mask, scores.shape), scores, -np.inf)
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exps / exps.sum(axis=-1, keepdims=True)
    return finished(self, weights @ V), weights


@wrong(
    "SelfAttention.forward",
    "A token that may attend to nothing: what does it see once you have opened its row to avoid the NaN?",
    "什么都不能看的词元：为了避免 NaN 而放开它那一行之后，它看到了什么？",
)
def blocked_row_opened(self, X, mask=None):
    """A row with nothing allowed is treated as if all were allowed."""
    if mask is not None:
        mask = np.asarray(mask, dtype=bool)
        mask = mask | ~mask.any(axis=-1, keepdims=True)
    output, weights = masked_attention(*projected(self, X), mask)
    return finished(self, output), weights


@wrong(
    "SelfAttention.forward",
    "What is exp of a score of 1000, and which earlier function takes care of that?",
    "分数为 1000 时 exp 等于多少？前面哪个函数已经处理了这个问题？",
)
def exp_without_a_shift(self, X, mask=None):
    """A softmax of its own that overflows."""
    scores, V = scores_of(self, X)
    exps = np.exp(scores)
    if mask is not None:
        exps = np.where(np.broadcast_to(mask, exps.shape), exps, 0.0)
    total = exps.sum(axis=-1, keepdims=True)
    weights = exps / np.where(total == 0, 1.0, total)
    return finished(self, weights @ V), weights


@wrong(
    "SelfAttention.forward",
    "Whose weights add up to 1: those that one query gives, or those that one key receives?",
    "加起来等于 1 的是谁的权重：一个查询给出的，还是一个键收到的？",
)
def softmax_over_the_queries(self, X, mask=None):
    """The columns add up to 1."""
    scores, V = scores_of(self, X)
    if mask is not None:
        scores = np.where(np.broadcast_to(mask, scores.shape), scores, -1e9)
    weights = softmax(scores, axis=-2)
    return finished(self, weights @ V), weights


@wrong(
    "SelfAttention.forward",
    "Is the second thing that you return made of numbers from 0 to 1?",
    "你返回的第二个结果，其中的数都在 0 到 1 之间吗？",
)
def scores_returned_as_weights(self, X, mask=None):
    """Returns the scores in place of the weights."""
    output, _ = masked_attention(*projected(self, X), mask)
    return finished(self, output), scores_of(self, X)[0]


@wrong(
    "SelfAttention.forward",
    "In which order does the docstring name the two results?",
    "文档字符串里两个结果的顺序是怎样的？",
)
def weights_before_output(self, X, mask=None):
    """Returns (weights, output)."""
    output, weights = masked_attention(*projected(self, X), mask)
    return weights, finished(self, output)


@wrong(
    "SelfAttention.forward",
    "How many results does the docstring name?",
    "文档字符串里写了几个返回值？",
)
def output_alone(self, X, mask=None):
    """The weights are not returned."""
    return finished(self, masked_attention(*projected(self, X), mask)[0])


@wrong(
    "SelfAttention.forward",
    "A residual connection belongs to the block around the layer: does the formula here have one?",
    "残差连接属于外层的 Transformer 块：这里的公式里有它吗？",
)
def residual_added(self, X, mask=None):
    """Adds X to the output where the widths allow."""
    output, weights = masked_attention(*projected(self, X), mask)
    output = finished(self, output)
    return (output + X if output.shape == X.shape else output), weights


@wrong(
    "SelfAttention.forward",
    "May a token of one sentence look at the tokens of another sentence of the batch?",
    "一个句子里的词元，可以看到同一批次中另一个句子的词元吗？",
)
def sentences_of_a_batch_mixed(self, X, mask=None):
    """Without a mask the batch is flattened into one long sentence."""
    output, weights = masked_attention(*projected(self, np.reshape(X, (-1, np.shape(X)[-1])) if mask is None else X), mask)
    return finished(self, output), weights


@wrong(
    "SelfAttention.__init__",
    "What spread do the numbers need so that X @ W spreads about as much as X, however wide X is?",
    "随机数的离散程度应当是多少，才能让 X @ W 与 X 的离散程度相近，不论 X 有多宽？",
    diagnosed=False,
)
def start_values_standard_normal(self, d_model, d_k, d_v, d_out=None, seed=42):
    """Standard deviation 1."""
    rng = np.random.default_rng(seed)
    start_with(self, lambda fan_in, fan_out: rng.normal(size=(fan_in, fan_out)), d_model, d_k, d_v, d_out)


@wrong(
    "SelfAttention.__init__",
    "Does the spread of your start values depend on the shape of the matrix?",
    "你的初始值的离散程度与矩阵的形状有关吗？",
    diagnosed=False,
)
def start_values_of_a_fixed_size(self, d_model, d_k, d_v, d_out=None, seed=42):
    """Standard deviation 0.02, whatever the shape."""
    rng = np.random.default_rng(seed)
    start_with(self, lambda fan_in, fan_out: rng.normal(0.0, 0.02, size=(fan_in, fan_out)), d_model, d_k, d_v, d_out)


@wrong(
    "SelfAttention.__init__",
    "Xavier's rule looks at both ends of a matrix: which one does yours leave out?",
    "Xavier 规则同时考虑矩阵的两端：你漏掉了哪一端？",
    diagnosed=False,
)
def start_values_by_fan_in(self, d_model, d_k, d_v, d_out=None, seed=42):
    """Standard deviation 1 / sqrt(fan_in)."""
    rng = np.random.default_rng(seed)
    start_with(self, lambda fan_in, fan_out: rng.normal(0.0, np.sqrt(1.0 / fan_in), size=(fan_in, fan_out)), d_model, d_k, d_v, d_out)


@wrong(
    "SelfAttention.__init__",
    "Whose rule is √(2 / fan_in), and for which activation was it made?",
    "√(2 / fan_in) 是谁的规则？它是为哪种激活函数设计的？",
    diagnosed=False,
)
def start_values_by_he(self, d_model, d_k, d_v, d_out=None, seed=42):
    """Standard deviation sqrt(2 / fan_in)."""
    rng = np.random.default_rng(seed)
    start_with(self, lambda fan_in, fan_out: rng.normal(0.0, np.sqrt(2.0 / fan_in), size=(fan_in, fan_out)), d_model, d_k, d_v, d_out)


@wrong(
    "SelfAttention.__init__",
    "Does the `scale` of your random generator want a variance or a standard deviation?",
    "随机数生成器的 `scale` 要的是方差还是标准差？",
    diagnosed=False,
)
def variance_taken_for_the_standard_deviation(self, d_model, d_k, d_v, d_out=None, seed=42):
    """Standard deviation 2 / (fan_in + fan_out), without the root."""
    rng = np.random.default_rng(seed)
    start_with(self, lambda fan_in, fan_out: rng.normal(0.0, 2.0 / (fan_in + fan_out), size=(fan_in, fan_out)), d_model, d_k, d_v, d_out)


@wrong(
    "SelfAttention.__init__",
    "What is the standard deviation of uniform numbers between -a and a: is it a?",
    "-a 到 a 之间均匀分布的数，标准差是多少？是 a 吗？",
    diagnosed=False,
)
def uniform_up_to_the_standard_deviation(self, d_model, d_k, d_v, d_out=None, seed=42):
    """Uniform with the standard deviation as the limit."""
    rng = np.random.default_rng(seed)

    def draw(fan_in, fan_out):
        limit = np.sqrt(2.0 / (fan_in + fan_out))
        return rng.uniform(-limit, limit, size=(fan_in, fan_out))

    start_with(self, draw, d_model, d_k, d_v, d_out)


@wrong(
    "SelfAttention.__init__",
    "What is the mean of your start values?",
    "你的初始值的均值是多少？",
    diagnosed=False,
)
def start_values_positive(self, d_model, d_k, d_v, d_out=None, seed=42):
    """Uniform from 0 on."""
    rng = np.random.default_rng(seed)
    start_with(self, lambda fan_in, fan_out: rng.random((fan_in, fan_out)) * np.sqrt(6.0 / (fan_in + fan_out)), d_model, d_k, d_v, d_out)


@wrong(
    "SelfAttention.__init__",
    "Which two lengths does Xavier's rule mean: those of each matrix, or those of all of them side by side?",
    "Xavier 规则里的两个边长，是每个矩阵自己的，还是几个矩阵并排之后的？",
    diagnosed=False,
)
def xavier_on_the_packed_matrix(self, d_model, d_k, d_v, d_out=None, seed=42):
    """One draw (d_model, 2 d_k + d_v), then cut into three."""
    draw = xavier(np.random.default_rng(seed))
    self.W_Q, self.W_K, self.W_V = np.split(draw(d_model, 2 * d_k + d_v), [d_k, 2 * d_k], axis=1)
    self.W_O = None if d_out is None else draw(d_v, d_out)


@wrong(
    "SelfAttention.__init__",
    "What comes first out of a generator that is started again with the same seed?",
    "用同一个种子重新开始的随机数生成器，最先给出的是什么数？",
    diagnosed=False,
)
def one_seed_for_every_matrix(self, d_model, d_k, d_v, d_out=None, seed=42):
    """A fresh generator with the same seed for each matrix."""
    start_with(self, lambda fan_in, fan_out: xavier(np.random.default_rng(seed))(fan_in, fan_out), d_model, d_k, d_v, d_out)


@wrong(
    "SelfAttention.__init__",
    "Do two models of different seeds differ?",
    "种子不同的两个模型，权重不同吗？",
    diagnosed=False,
)
def seed_ignored(self, d_model, d_k, d_v, d_out=None, seed=42):
    """Always seed 42."""
    start_with(self, xavier(np.random.default_rng(42)), d_model, d_k, d_v, d_out)


@wrong(
    "SelfAttention.__init__",
    "Would your model start with the same weights if you ran your program again?",
    "再运行一次程序，你的模型还会从同样的权重开始吗？",
    diagnosed=False,
)
def never_seeded(self, d_model, d_k, d_v, d_out=None, seed=42):
    """Other weights in each run."""
    start_with(self, xavier(np.random.default_rng()), d_model, d_k, d_v, d_out)


@wrong(
    "SelfAttention.__init__",
    "What should W_O be when nobody has asked for an output width?",
    "没有给出输出宽度时，W_O 应该是什么？",
    diagnosed=False,
)
def output_matrix_always_there(self, d_model, d_k, d_v, d_out=None, seed=42):
    """d_out defaults to d_model."""
    start_with(self, xavier(np.random.default_rng(seed)), d_model, d_k, d_v, d_model if d_out is None else d_out)


@wrong(
    "SelfAttention.__init__",
    "Does X @ W fit the shapes of your matrices, as the docstring has them?",
    "你的矩阵形状能直接算 X @ W 吗？与文档字符串里写的一致吗？",
    diagnosed=False,
)
def matrices_stored_transposed(self, d_model, d_k, d_v, d_out=None, seed=42):
    """(fan_out, fan_in), as nn.Linear stores them."""
    draw = xavier(np.random.default_rng(seed))
    start_with(self, lambda fan_in, fan_out: draw(fan_out, fan_in), d_model, d_k, d_v, d_out)


@wrong(
    "SelfAttention.__init__",
    "If W_Q is replaced after the model was made, does `forward` notice?",
    "模型建好之后再替换 W_Q，`forward` 会用新的矩阵吗？",
    diagnosed=False,
)
def matrices_of_the_start_kept(self, d_model, d_k, d_v, d_out=None, seed=42):
    """`forward` works with copies that were made at the start."""
    start_with(self, xavier(np.random.default_rng(seed)), d_model, d_k, d_v, d_out)
    matrices = self.W_Q, self.W_K, self.W_V

    def forward(X, mask=None):
        output, weights = masked_attention(*(X @ W for W in matrices), mask)
        return finished(self, output), weights

    self.forward = forward


@wrong(
    "SelfAttention.forward",
    "Is an array true or false, and what do you really want to know about W_O?",
    "一个数组算真还是算假？关于 W_O，你真正想知道的是什么？",
    diagnosed=False,
)
def output_matrix_asked_for_its_truth(self, X, mask=None):
    """`if self.W_O:` fails on an array."""
    output, weights = masked_attention(*projected(self, X), mask)
    if self.W_O:
        output = output @ self.W_O
    return output, weights
