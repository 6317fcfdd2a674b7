"""Masks: which key each query may attend to. Causal masks hide the future, padding masks hide what is no token.

In this course True (or 1) means "may attend", as in torch.nn.functional.scaled_dot_product_attention.
torch.nn.MultiheadAttention has it the other way round: there True means "blocked".
"""

import numpy as np

from solutions.attention import scaled_dot_product_attention
from solutions.softmax import softmax


def causal_mask(n_q: int, n_k: int | None = None) -> np.ndarray:
    """The mask of a decoder: a query attends to the keys up to its own position, and to none after it.

    n_q, n_k: the number of queries and of keys; n_k = n_q where it is not given.
    Returns: bool (n_q, n_k), True = may attend. The LAST query is aligned with the last key and sees them all, the query
        before it sees all but the last, and so on. So with n_q < n_k (new tokens after a prefix) the first query
        sees the prefix too, and with n_q > n_k the first n_q - n_k queries see nothing.

    Example:

    >>> causal_mask(3).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [1, 1, 1]])
    >>> causal_mask(2, 4).astype(int)
    array([[1, 1, 1, 0],
           [1, 1, 1, 1]])

    Source: Vaswani et al. 2017, section 3.2.3; torch.nn.attention.bias.causal_lower_right.
    """
    # TODO 1: n_k defaults to n_q.
    # TODO 2: query i of n_q stands at position i + (n_k - n_q) among the keys. It may attend to key j if j is not after it.
    #         Do not forget that a token may attend to itself.
    ### BEGIN SOLUTION
    if n_k is None:
        n_k = n_q
    positions = np.arange(n_q) + (n_k - n_q)
    return np.arange(n_k) <= positions[:, np.newaxis]
    ### END SOLUTION


def padding_mask(lengths: np.ndarray, n_k: int) -> np.ndarray:
    """The mask of a padded batch: sentence b has lengths[b] real tokens, the rest of its n_k places is padding.

    lengths: (batch,), a list or an array of integers, 0 <= length <= n_k.
    n_k: the number of keys, padding included.
    Returns: bool (batch, 1, n_k), True = a real token. The axis of length 1 stands for the queries: padding hides a key
        from every query alike, and broadcasting fits it to scores (batch, n_q, n_k).

    Example:

    >>> padding_mask([3, 1], 4).astype(int)
    array([[[1, 1, 1, 0]],
    <BLANKLINE>
           [[1, 0, 0, 0]]])
    """
    # TODO 1: key j of sentence b is real if j < lengths[b]. Give both sides the axes that make one comparison enough.
    ### BEGIN SOLUTION
    lengths = np.asarray(lengths)
    return np.arange(n_k) < lengths[:, np.newaxis, np.newaxis]
    ### END SOLUTION


def masked_softmax(scores: np.ndarray, mask: np.ndarray | None = None) -> np.ndarray:
    """Softmax over the keys, with weight 0 wherever the mask forbids it.

    scores: (..., n_q, n_k), finite floats up to ±1e4. Allowed scores may be far below the blocked ones, and far below 0.
    mask: bool or integers 0 and 1, True (1) = may attend; at least two axes; broadcasts to the shape of the scores,
        like (n_q, n_k), (1, n_k), (n_q, 1) or (batch, 1, n_k). None: every key is allowed.
    Returns: weights (..., n_q, n_k), floats. The allowed ones of a row add up to 1, the blocked ones are 0. A row in which
        nothing is allowed is all 0, never NaN. The arguments are not modified.
    Raises: ValueError where the mask does not broadcast to the shape of the scores. A mask that would make the scores
        larger, (5, n_q, n_k) on scores (1, n_q, n_k), does not.

    Example: a row with two keys allowed, and one with none.

    >>> masked_softmax(np.array([[1.0, 1.0, 7.0], [1.0, 1.0, 7.0]]), np.array([[1, 1, 0], [0, 0, 0]]))
    array([[0.5, 0.5, 0. ],
           [0. , 0. , 0. ]])

    Source: Vaswani et al. 2017, section 3.2.3.
    """
    # TODO 1: without a mask this is the softmax you know.
    # TODO 2: make the mask bool (with integers ~mask is not the opposite of mask) and fit it to the shape of the scores;
    #         NumPy has a function that broadcasts to a given shape, or raises ValueError.
    # TODO 3: blocked keys must be out BEFORE the softmax, so that the allowed weights add up to 1. Multiplying the scores by
    #         the mask is no way: a score of 0 is a score like any other. Which score has exp(score) = 0?
    # TODO 4: a row in which nothing is allowed has no softmax: make sure it ends as zeros and not as NaN or as 1/n_k.
    ### BEGIN SOLUTION
    scores = np.asarray(scores, dtype=np.float64)
    if mask is None:
        return softmax(scores, axis=-1)
    allowed = np.broadcast_to(np.asarray(mask, dtype=bool), scores.shape)
    nothing_allowed = ~allowed.any(axis=-1, keepdims=True)
    # A row of nothing but -inf would be NaN. Such a row keeps its scores here, and its weights go with the last line.
    filled = np.where(allowed | nothing_allowed, scores, -np.inf)
    return np.where(allowed, softmax(filled, axis=-1), 0.0)
    ### END SOLUTION


def masked_attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray, mask: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Scaled dot-product attention in which each query attends only to the keys that the mask allows.

    Q: (..., n_q, d_k). K: (..., n_k, d_k). V: (..., n_k, d_v). The leading axes are the same in all three.
    mask: as in `masked_softmax`, broadcasts to (..., n_q, n_k), True (1) = may attend. None: plain attention.
    Returns: (output, weights), floats. output: (..., n_q, d_v). weights: (..., n_q, n_k). A query that may attend to nothing
        has weights 0 and output 0. Scores up to ±1e4 are handled without NaN. The arguments are not modified.
    Raises: ValueError where Q and K have different d_k, K and V different n_k, or the mask does not broadcast.

    Example: the second token may look back, the first one sees only itself.

    >>> X = np.array([[1.0, 0.0], [0.0, 2.0]])
    >>> output, weights = masked_attention(X, X, X, causal_mask(2))
    >>> weights.round(3)
    array([[1.   , 0.   ],
           [0.056, 0.944]])
    >>> output.round(3)
    array([[1.   , 0.   ],
           [0.056, 1.888]])

    Source: torch.nn.functional.scaled_dot_product_attention with attn_mask.
    """
    # TODO 1: refuse different d_k or n_k, as `scaled_dot_product_attention` does (without a mask you can call it).
    # TODO 2: the same scores, the same scaling, but `masked_softmax` for the weights.
    ### BEGIN SOLUTION
    if mask is None:
        return scaled_dot_product_attention(Q, K, V)
    Q, K, V = np.asarray(Q), np.asarray(K), np.asarray(V)
    d_k = Q.shape[-1]
    if K.shape[-1] != d_k:
        raise ValueError(f"Q has d_k = {d_k}, but K has d_k = {K.shape[-1]}")
    if V.shape[-2] != K.shape[-2]:
        raise ValueError(f"K has n_k = {K.shape[-2]} keys, but V has {V.shape[-2]} values")
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(d_k)
    weights = masked_softmax(scores, mask)
    return weights @ V, weights
    ### END SOLUTION
