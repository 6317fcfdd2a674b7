"""Loops everywhere, lists as results."""

import numpy as np

import math

from exercises.softmax import softmax


def causal_mask(n_q, n_k=None):
    n_k = n_q if n_k is None else n_k
    rows = []
    for i in range(n_q):
        rows.append([j <= i + n_k - n_q for j in range(n_k)])
    return rows


def padding_mask(lengths, n_k):
    return [[[j < n for j in range(n_k)]] for n in lengths]


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = np.ones_like(scores)
    mask = np.broadcast_to(mask, scores.shape)
    out = np.zeros(scores.shape)
    for index in np.ndindex(*scores.shape[:-1]):
        allowed = [j for j in range(scores.shape[-1]) if mask[index][j]]
        if not allowed:
            continue
        top = max(scores[index][j] for j in allowed)
        e = {j: math.exp(scores[index][j] - top) for j in allowed}
        for j in allowed:
            out[index + (j,)] = e[j] / sum(e.values())
    return out.tolist()


def masked_attention(Q, K, V, mask=None):
    if Q.shape[-1] != K.shape[-1] or K.shape[-2] != V.shape[-2]:
        raise ValueError("shapes")
    scores = np.empty(Q.shape[:-1] + (K.shape[-2],))
    for index in np.ndindex(*scores.shape):
        q, k = Q[index[:-1]], K[index[:-2] + index[-1:]]
        scores[index] = sum(a * b for a, b in zip(q, k)) / math.sqrt(len(q))
    weights = np.array(masked_softmax(scores, mask))
    return [(weights @ V).tolist(), weights.tolist()]
