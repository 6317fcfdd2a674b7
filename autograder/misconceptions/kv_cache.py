"""What learners get wrong in exercise `kv_cache`."""

import numpy as np

from autograder.misconceptions.catalogue import wrong
from solutions.kv_cache import CachedAttention
from solutions.softmax import softmax

right_init, right_reset, right_step = CachedAttention.__init__, CachedAttention.reset, CachedAttention.step


def remember(cache, x):
    """Put the token's key and value into the cache; returns its query."""
    cache.keys.append(x @ cache.W_K)
    cache.values.append(x @ cache.W_V)
    return x @ cache.W_Q


def attend(cache, scores):
    """The output and the weights for these scores of the cached keys."""
    weights = softmax(scores)
    return weights @ np.array(cache.values), weights


@wrong(
    "CachedAttention.step",
    "What a token is found by and what it hands over: which of the two lies in your second cache?",
    "词元“靠什么被找到”和“交出什么”：你的第二个缓存里放的是哪一个？",
)
def keys_as_values(self, x):
    """The cache of values holds the keys."""
    self.keys.append(x @ self.W_K)
    self.values.append(x @ self.W_K)
    query = x @ self.W_Q
    return attend(self, np.array(self.keys) @ query / np.sqrt(len(query)))


@wrong(
    "CachedAttention.step",
    "Which of query, key and value of an old token does a new token need?",
    "新词元需要旧词元的查询、键、值中的哪些？",
)
def queries_as_keys(self, x):
    """The cache of keys holds the queries."""
    query = x @ self.W_Q
    self.keys.append(query)
    self.values.append(x @ self.W_V)
    return attend(self, np.array(self.keys) @ query / np.sqrt(len(query)))


@wrong(
    "CachedAttention.step",
    "Which matrix belongs to the token that asks, and which to those that are found?",
    "哪个矩阵属于提问的词元，哪个属于被找到的词元？",
)
def query_and_key_matrices_swapped(self, x):
    """W_K for the query, W_Q for the keys."""
    self.keys.append(x @ self.W_Q)
    self.values.append(x @ self.W_V)
    query = x @ self.W_K
    return attend(self, np.array(self.keys) @ query / np.sqrt(len(query)))


@wrong(
    "CachedAttention.step",
    "Does a token attend to itself? When do its key and value get into the cache?",
    "词元会关注自己吗？它的键和值什么时候进入缓存？",
)
def own_key_comes_too_late(self, x):
    """The token attends to those before it only; the first one has no others and sees itself."""
    query = remember(self, x)
    keys, values = np.array(self.keys[:-1] or self.keys), np.array(self.values[:-1] or self.values)
    weights = softmax(keys @ query / np.sqrt(len(query)))
    return weights @ values, weights


@wrong(
    "CachedAttention.step",
    "How many weights does your third step return? What is left of the first two tokens?",
    "你的第三步返回几个权重？前两个词元还剩下什么？",
)
def nothing_is_kept(self, x):
    """The new key and value are not kept for the next step."""
    self.reset()
    return right_step(self, x)


@wrong(
    "CachedAttention.step",
    "Which token's weight stands first: the oldest's or the newest's?",
    "排在最前面的权重属于哪个词元：最早的还是最新的？",
)
def newest_token_first(self, x):
    """The newest key and value stand first."""
    output, weights = right_step(self, x)
    return output, weights[::-1]


@wrong(
    "CachedAttention.step",
    "What is done to dot products before the softmax in every attention of the course?",
    "本课程的每个注意力中，点积在 softmax 之前要做什么处理？",
)
def not_scaled(self, x):
    """The plain dot product, without the division."""
    query = remember(self, x)
    return attend(self, np.array(self.keys) @ query)


@wrong(
    "CachedAttention.step",
    "How far does a sum of d_k products spread: like d_k, or more slowly?",
    "d_k 个乘积之和的离散程度随 d_k 怎样增长：与 d_k 成正比，还是更慢？",
)
def scaled_by_d_k(self, x):
    """Divides by d_k, not by its root."""
    query = remember(self, x)
    return attend(self, np.array(self.keys) @ query / len(query))


@wrong(
    "CachedAttention.step",
    "How many products does one dot product of query and key add up?",
    "查询与键的一个点积是多少个乘积之和？",
)
def scaled_by_d_model(self, x):
    """Divides by the root of d_model."""
    query = remember(self, x)
    return attend(self, np.array(self.keys) @ query / np.sqrt(len(x)))


@wrong(
    "CachedAttention.step",
    "Does a score depend on how many tokens there are so far? Which length belongs under the root?",
    "一个分数与目前有多少个词元有关吗？根号下应当是哪个长度？",
)
def scaled_by_the_number_of_tokens(self, x):
    """Divides by the root of t."""
    query = remember(self, x)
    return attend(self, np.array(self.keys) @ query / np.sqrt(len(self.keys)))


@wrong(
    "CachedAttention.step",
    "What does exp make of a score of 8000, and what does your own softmax then divide?",
    "exp 遇到 8000 的分数会得到什么？你自己写的 softmax 接下来拿什么相除？",
)
def softmax_overflows(self, x):
    """A softmax of its own without the shift by the largest score."""
    query = remember(self, x)
    exps = np.exp(np.array(self.keys) @ query / np.sqrt(len(query)))
    weights = exps / exps.sum()
    return weights @ np.array(self.values), weights


@wrong(
    "CachedAttention.step",
    "One token goes in. Which axis of your results has length 1 and no meaning?",
    "输入只有一个词元。你的结果里哪个长度为 1 的轴没有意义？",
)
def query_axis_kept(self, x):
    """Output (1, d_v) and weights (1, t)."""
    output, weights = right_step(self, x)
    return output[np.newaxis], weights[np.newaxis]


@wrong(
    "CachedAttention.reset",
    "After reset(), how many weights does the next step return?",
    "reset() 之后，下一步返回几个权重？",
)
def reset_forgets_nothing(self):
    """Only makes the caches where there are none yet."""
    self.keys = getattr(self, "keys", [])
    self.values = getattr(self, "values", [])


@wrong(
    "CachedAttention.reset",
    "How many tokens are left in your cache after reset()?",
    "reset() 之后，你的缓存里还剩几个词元？",
)
def reset_keeps_the_last_token(self):
    """Forgets all but the last token."""
    self.keys = getattr(self, "keys", [])[-1:]
    self.values = getattr(self, "values", [])[-1:]


@wrong(
    "CachedAttention.reset",
    "There are two caches. Does reset() empty both?",
    "缓存有两个，reset() 都清空了吗？",
    diagnosed=False,
)
def reset_empties_the_keys_alone(self):
    """The values of the last sentence stay."""
    self.keys = []
    self.values = getattr(self, "values", [])


KEYS: list[np.ndarray] = []
VALUES: list[np.ndarray] = []


@wrong(
    "CachedAttention.__init__",
    "Where is your list made: once for the class, or once for each object?",
    "你的列表是在哪里创建的：整个类一次，还是每个对象一次？",
    diagnosed=False,
)
def one_cache_for_all_objects(self, W_Q, W_K, W_V):
    """All new objects share their lists, like a mutable default argument."""
    self.W_Q, self.W_K, self.W_V = W_Q, W_K, W_V
    self.keys, self.values = KEYS, VALUES


@wrong(
    "CachedAttention.step",
    "Does the caller's array hold other numbers after your step than before?",
    "你的 step 执行之后，调用者的数组里的数变了吗？",
    diagnosed=False,
)
def token_changed_in_place(self, x):
    """Centres the caller's array after it was used."""
    result = right_step(self, x)
    x -= x.mean()
    return result
