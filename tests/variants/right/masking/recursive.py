"""Recursion over the leading axes after broadcasting the mask."""

import numpy as np

from exercises.softmax import softmax


def causal_mask(n_q, n_k=None):
    n_k = n_k or n_q
    return np.array([[k - n_k <= q - n_q for k in range(n_k)] for q in range(n_q)])


def padding_mask(lengths, n_k):
    lengths = list(lengths)
    return np.stack([np.concatenate([np.ones(n, bool), np.zeros(n_k - n, bool)])[None] for n in lengths])


def _rows(scores, mask):
    if scores.ndim > 1:
        return np.stack([_rows(s, m) for s, m in zip(scores, mask)])
    out = np.zeros(len(scores))
    if mask.any():
        out[mask] = softmax(scores[mask])
    return out


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = np.ones(scores.shape)
    return _rows(np.asarray(scores), np.broadcast_to(np.asarray(mask, dtype=bool), scores.shape))


def masked_attention(Q, K, V, mask=None):
    if Q.shape[-1] != K.shape[-1] or V.shape[-2] != K.shape[-2]:
        raise ValueError("shapes")
    weights = masked_softmax(Q @ np.moveaxis(K, -1, -2) / np.sqrt(K.shape[-1]), mask)
    return weights @ V, weights
