"""What learners get wrong in exercise `torch_parity`."""

import numpy as np

from autograder.misconceptions.catalogue import wrong
from solutions.masking import masked_attention, masked_softmax
from solutions.multi_head import concat_heads, split_heads
from solutions.torch_parity import multi_head_from_torch as right


def project(X, state, n_heads):
    """The right Q, K and V (..., n_heads, n, d_head)."""
    packed = X @ state["in_proj_weight"].T + state["in_proj_bias"]
    return [split_heads(part, n_heads) for part in np.split(packed, 3, axis=-1)]


def for_heads(mask):
    """The mask with an axis for the heads."""
    return None if mask is None else np.expand_dims(np.asarray(mask), -3)


def mix(concatenated, state):
    """The right output projection."""
    return concatenated @ state["out_proj.weight"].T + state["out_proj.bias"]


def attend(Q, K, V, state, mask):
    """All that follows the projections, right."""
    per_head, weights = masked_attention(Q, K, V, for_heads(mask))
    return mix(concat_heads(per_head), state), weights.mean(axis=-3)


def per_head_weights(X, state, n_heads, mask):
    """The right weights of every head."""
    return masked_attention(*project(X, state, n_heads), for_heads(mask))[1]


@wrong(
    "multi_head_from_torch",
    "PyTorch stores a matrix as (out, in). On which side of it does your X stand, and is it turned round?",
    "PyTorch 以 (out, in) 存放矩阵。你的 X 乘在它的哪一边？它转置了吗？",
)
def projections_not_transposed(X, state, n_heads, mask=None):
    """x W + b in place of x W^T + b for queries, keys and values."""
    parts = zip(np.split(state["in_proj_weight"], 3), np.split(state["in_proj_bias"], 3), strict=True)
    Q, K, V = (split_heads(X @ W + b, n_heads) for W, b in parts)
    return attend(Q, K, V, state, mask)


@wrong(
    "multi_head_from_torch",
    "In which convention is out_proj.weight stored: the same as in_proj_weight?",
    "out_proj.weight 按什么约定存放？与 in_proj_weight 相同吗？",
)
def output_projection_not_transposed(X, state, n_heads, mask=None):
    """The output projection as x W + b."""
    return right(X, {**state, "out_proj.weight": state["out_proj.weight"].T}, n_heads, mask)


@wrong(
    "multi_head_from_torch",
    "The docstring says what True in the mask means here. Is it what PyTorch's module means by True?",
    "文档字符串说明了这里掩码中 True 的含义。它与 PyTorch 那个模块的 True 含义相同吗？",
)
def mask_as_pytorch_means_it(X, state, n_heads, mask=None):
    """True is taken for blocked."""
    return right(X, state, n_heads, None if mask is None else ~np.asarray(mask, dtype=bool))


@wrong("multi_head_from_torch", "Where does your code use the mask?", "你的代码在哪里用到了掩码？")
def mask_ignored(X, state, n_heads, mask=None):
    """Every token sees all."""
    return right(X, state, n_heads)


@wrong(
    "multi_head_from_torch",
    "Broadcasting lines axes up from the right. With which axis of the scores does the batch of your mask line up?",
    "广播从右边开始对齐各轴。你的掩码的批次轴对上了分数的哪个轴？",
)
def batch_of_the_mask_on_the_heads(X, state, n_heads, mask=None):
    """The mask gets no axis for the heads."""
    per_head, weights = masked_attention(*project(X, state, n_heads), mask)
    return mix(concat_heads(per_head), state), weights.mean(axis=-3)


@wrong(
    "multi_head_from_torch",
    "What do the allowed weights of a row add up to, once the blocked ones are set to 0 after the softmax?",
    "在 softmax 之后才把被遮住的权重置 0，一行中允许的权重加起来是多少？",
)
def mask_after_the_softmax(X, state, n_heads, mask=None):
    """The softmax runs over all keys; blocked weights are set to 0 afterwards."""
    Q, K, V = project(X, state, n_heads)
    weights = masked_attention(Q, K, V)[1]
    weights = weights if mask is None else weights * for_heads(mask)
    return mix(concat_heads(weights @ V), state), weights.mean(axis=-3)


@wrong(
    "multi_head_from_torch",
    "PyTorch adds a mask of floats to the scores. What does adding 1 and 0 do to a softmax, and what is your mask made of?",
    "PyTorch 会把浮点掩码加到分数上。给分数加 1 和 0 对 softmax 有什么作用？你的掩码又是什么类型？",
)
def mask_added_to_the_scores(X, state, n_heads, mask=None):
    """Adds the mask's ones and zeros to the scores."""
    Q, K, V = project(X, state, n_heads)
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    weights = masked_softmax(scores if mask is None else scores + for_heads(mask))
    return mix(concat_heads(weights @ V), state), weights.mean(axis=-3)


@wrong(
    "multi_head_from_torch",
    "Which of the four parameters has your result not met yet?",
    "四个参数中，还有哪一个没有进入你的结果？",
)
def no_projection_biases(X, state, n_heads, mask=None):
    """The queries, keys and values without their biases."""
    return right(X, {**state, "in_proj_bias": 0 * state["in_proj_bias"]}, n_heads, mask)


@wrong(
    "multi_head_from_torch",
    "Your heads agree with PyTorch's. What is still added after the last matrix?",
    "各个头都与 PyTorch 一致。最后一个矩阵之后还要加上什么？",
)
def no_output_bias(X, state, n_heads, mask=None):
    """out_proj.bias is left out."""
    return right(X, {**state, "out_proj.bias": 0 * state["out_proj.bias"]}, n_heads, mask)


@wrong(
    "multi_head_from_torch",
    "The heads stand side by side. What mixes them?",
    "各个头已经并排放好，由什么把它们混合起来？",
)
def no_output_projection(X, state, n_heads, mask=None):
    """Returns the concatenated heads."""
    per_head, weights = masked_attention(*project(X, state, n_heads), for_heads(mask))
    return concat_heads(per_head), weights.mean(axis=-3)


@wrong(
    "multi_head_from_torch",
    "In which order does the docstring name what is packed into in_proj_weight?",
    "文档字符串中，in_proj_weight 里打包的三部分是什么顺序？",
)
def values_before_keys(X, state, n_heads, mask=None):
    """Takes the packed parts for those of the queries, the values and the keys."""
    Q, V, K = project(X, state, n_heads)
    return attend(Q, K, V, state, mask)


@wrong(
    "multi_head_from_torch",
    "Which rows of in_proj_weight belong to the queries: the first d_model, or some in every head's share?",
    "in_proj_weight 的哪些行属于查询：前 d_model 行，还是每个头那一份里的一部分？",
)
def packed_head_by_head(X, state, n_heads, mask=None):
    """Takes the rows for head 0's q, k and v, then head 1's, as other libraries pack them."""
    packed = X @ state["in_proj_weight"].T + state["in_proj_bias"]
    cut = packed.reshape(*X.shape[:-1], n_heads, 3, X.shape[-1] // n_heads)
    Q, K, V = (np.swapaxes(cut[..., i, :], -2, -3) for i in range(3))
    return attend(Q, K, V, state, mask)


@wrong(
    "multi_head_from_torch",
    "By which width does each head scale: that of its own keys, or that of all heads together?",
    "每个头按哪个维数缩放：它自己的键的维数，还是所有头加在一起的维数？",
)
def scaled_by_d_model(X, state, n_heads, mask=None):
    """Divides the scores by the root of d_model."""
    Q, K, V = project(X, state, n_heads)
    return attend(Q / np.sqrt(n_heads), K, V, state, mask)


@wrong(
    "multi_head_from_torch",
    "What is done to dot products before the softmax when the vectors are wide?",
    "向量较宽时，点积在 softmax 之前要做什么处理？",
)
def not_scaled(X, state, n_heads, mask=None):
    """The plain dot product, without the division."""
    Q, K, V = project(X, state, n_heads)
    return attend(Q * np.sqrt(Q.shape[-1]), K, V, state, mask)


@wrong(
    "multi_head_from_torch",
    "What does exp make of a score of 4000, and what does your own softmax then divide?",
    "exp 遇到 4000 的分数会得到什么？你自己写的 softmax 接下来拿什么相除？",
)
def softmax_overflows(X, state, n_heads, mask=None):
    """A softmax of its own without the shift by the largest score."""
    Q, K, V = project(X, state, n_heads)
    exps = np.exp(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]))
    exps = exps if mask is None else exps * for_heads(mask)
    weights = exps / exps.sum(axis=-1, keepdims=True)
    return mix(concat_heads(weights @ V), state), weights.mean(axis=-3)


@wrong(
    "multi_head_from_torch",
    "What does n_heads change in your result?",
    "n_heads 在你的结果里改变了什么？",
)
def one_wide_head(X, state, n_heads, mask=None):
    """One head of the full width, whatever n_heads is."""
    return right(X, state, 1, mask)


@wrong(
    "multi_head_from_torch",
    "A reshape never moves a number. Do all features of one token still belong together after yours?",
    "reshape 从不移动任何数。经过你的 reshape，同一个词元的特征还在一起吗？",
)
def heads_split_by_a_reshape_alone(X, state, n_heads, mask=None):
    """Reshapes to (n_heads, n, d_head) in place of changing axes."""
    Q, K, V = project(X, state, n_heads)
    Q, K, V = (concat_heads(part).reshape(part.shape) for part in (Q, K, V))
    return attend(Q, K, V, state, mask)


@wrong(
    "multi_head_from_torch",
    "Before the heads are laid side by side, which axis has to stand beside d_head: the tokens' or the heads'?",
    "各头并排之前，紧挨着 d_head 的应当是哪个轴：词元轴还是头轴？",
)
def heads_joined_by_a_reshape_alone(X, state, n_heads, mask=None):
    """Reshapes (n_heads, n, d_head) to (n, d_model) without changing axes back."""
    per_head, weights = masked_attention(*project(X, state, n_heads), for_heads(mask))
    return mix(per_head.reshape(X.shape), state), weights.mean(axis=-3)


@wrong(
    "multi_head_from_torch",
    "How many matrices of weights does PyTorch's module return for one sentence by default?",
    "PyTorch 的这个模块默认为一个句子返回几个权重矩阵？",
)
def weights_of_every_head(X, state, n_heads, mask=None):
    """Weights (..., n_heads, n, n)."""
    return right(X, state, n_heads, mask)[0], per_head_weights(X, state, n_heads, mask)


@wrong(
    "multi_head_from_torch",
    "What does a row of your weights add up to, and what should it?",
    "你的权重每一行加起来是多少？应当是多少？",
)
def weights_added_up(X, state, n_heads, mask=None):
    """The sum of the heads' weights."""
    return right(X, state, n_heads, mask)[0], per_head_weights(X, state, n_heads, mask).sum(axis=-3)


@wrong(
    "multi_head_from_torch",
    "Whose weights do you return, and what about those of the other heads?",
    "你返回的是谁的权重？其他头的呢？",
)
def weights_of_the_first_head(X, state, n_heads, mask=None):
    """The first head's weights alone."""
    return right(X, state, n_heads, mask)[0], per_head_weights(X, state, n_heads, mask)[..., 0, :, :]


@wrong(
    "multi_head_from_torch",
    "With a batch in front, which axis of the weights is that of the heads?",
    "前面有批次轴时，权重的哪个轴是头轴？",
)
def mean_over_axis_0(X, state, n_heads, mask=None):
    """The mean over the first axis, which is the batch where there is one."""
    return right(X, state, n_heads, mask)[0], per_head_weights(X, state, n_heads, mask).mean(axis=0)


@wrong(
    "multi_head_from_torch",
    "Counted from which end is the heads' axis always at the same place, whatever stands in front?",
    "不论前面有几个轴，从哪一端数头轴的位置始终不变？",
)
def mean_over_axis_1(X, state, n_heads, mask=None):
    """The mean over axis 1, right with one batch axis only."""
    return right(X, state, n_heads, mask)[0], per_head_weights(X, state, n_heads, mask).mean(axis=1)


@wrong(
    "multi_head_from_torch",
    "May the caller use `state` again after your call?",
    "你的函数返回之后，调用者还能再用 `state` 吗？",
    diagnosed=False,
)
def parameters_transposed_in_place(X, state, n_heads, mask=None):
    """Writes the transposed matrix back into the dictionary."""
    result = right(X, state, n_heads, mask)
    state["out_proj.weight"] = state["out_proj.weight"].T
    return result
