import numpy as np

from .softmax import softmax


def causal_mask(n_q, n_k=None):
    n_k = n_q if n_k is None else n_k
    return np.tril(np.ones((n_q, n_k)), k=n_k - n_q) == 1


def padding_mask(lengths, n_k):
    return np.array([[[key < length for key in range(n_k)]] for length in lengths], dtype=bool).reshape(len(lengths), 1, n_k)


def masked_softmax(scores, mask=None):
    if mask is None:
        return softmax(scores, axis=-1)
    mask = np.broadcast_to(mask, scores.shape).astype(bool)
    weights = softmax(np.where(mask, scores, -1e9), axis=-1)
    return weights * mask.any(axis=-1, keepdims=True)


def masked_attention(Q, K, V, mask=None):
    if Q.shape[-1] != K.shape[-1] or K.shape[-2] != V.shape[-2]:
        raise ValueError("the shapes of Q, K and V do not fit together")
    scores = Q @ np.moveaxis(K, -1, -2) / np.sqrt(K.shape[-1])
    weights = masked_softmax(scores, mask)
    return weights @ V, weights
