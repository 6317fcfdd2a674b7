"""Fill with -finfo.eps."""

import numpy as np

from exercises.attention import scaled_dot_product_attention
from exercises.softmax import softmax


def causal_mask(n_q, n_k=None):
    if n_k is None:
        n_k = n_q
    return np.tri(n_q, n_k, k=n_k - n_q, dtype=bool)


def padding_mask(lengths, n_k):
    lengths = np.asarray(lengths)
    return np.arange(n_k)[None, None, :] < lengths[:, None, None]


def masked_softmax(scores, mask=None):
    if mask is None:
        return softmax(scores, axis=-1)
    mask = np.asarray(mask).astype(bool)
    mask = np.broadcast_to(mask, scores.shape)
    filled = np.where(mask, scores, -np.finfo(float).eps)
    weights = softmax(filled, axis=-1)
    return np.where(mask, weights, 0.0)


def masked_attention(Q, K, V, mask=None):
    if Q.shape[-1] != K.shape[-1]:
        raise ValueError("d_k")
    if K.shape[-2] != V.shape[-2]:
        raise ValueError("n_k")
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    weights = masked_softmax(scores, mask)
    return weights @ V, weights
