import numpy as np

from softmax import softmax


def causal_mask(n_q, n_k=None):
    n_k = n_k or n_q
    mask = np.zeros((n_q, n_k), dtype=bool)
    query = n_q - 1
    key = n_k - 1
    # fill the rows from the last one up
    while query >= 0:
        mask[query, : key + 1] = True
        if key >= 0:
            query -= 1
            key -= 1
    return mask


def padding_mask(lengths, n_k):
    mask = np.zeros((len(lengths), 1, n_k), dtype=bool)
    for b, length in enumerate(lengths):
        mask[b, 0, :length] = True
    return mask


def masked_softmax(scores, mask=None):
    if mask is None:
        return softmax(scores)
    mask = np.broadcast_to(mask, scores.shape) != 0
    scores = np.where(mask, scores, -np.inf)
    scores[~mask.any(axis=-1)] = 0
    return softmax(scores) * mask


def masked_attention(Q, K, V, mask=None):
    if Q.shape[-1] != K.shape[-1] or K.shape[-2] != V.shape[-2]:
        raise ValueError("Q, K and V do not fit")
    weights = masked_softmax(Q @ K.swapaxes(-2, -1) / np.sqrt(Q.shape[-1]), mask)
    return weights @ V, weights
