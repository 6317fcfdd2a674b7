"""Fills by boolean indexing on copies."""

import numpy as np

from exercises.attention import scaled_dot_product_attention
from exercises.softmax import softmax


def causal_mask(n_q, n_k=None):
    if n_k is None:
        n_k = n_q
    future = np.triu(np.ones((n_q, n_k)), k=1 + n_k - n_q)
    return future == 0


def padding_mask(lengths, n_k):
    mask = np.zeros((len(lengths), 1, n_k), dtype=bool)
    for b, n in enumerate(lengths):
        mask[b, 0, :n] = True
    return mask


def masked_softmax(scores, mask=None):
    if mask is None:
        return softmax(scores)
    if np.broadcast_shapes(scores.shape, mask.shape) != scores.shape:
        raise ValueError("the mask is larger than the scores")
    blocked = np.broadcast_to(mask == 0, scores.shape)
    s = scores.copy()
    s[blocked] = -np.inf
    w = softmax(s)
    w[blocked] = 0
    return w


def masked_attention(Q, K, V, mask=None):
    if mask is None:
        return scaled_dot_product_attention(Q, K, V)
    if Q.shape[-1] != K.shape[-1] or K.shape[-2] != V.shape[-2]:
        raise ValueError("shapes")
    scores = np.einsum("...ij,...kj->...ik", Q, K) / Q.shape[-1] ** 0.5
    w = masked_softmax(scores=scores, mask=mask)
    return np.einsum("...ij,...jk->...ik", w, V), w
