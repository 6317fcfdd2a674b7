"""Own softmax without the shift."""

import numpy as np

from exercises.masking import masked_attention


def attention_backward(d_output, Q, K, V, mask=None):
    s = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    e = np.exp(s) if mask is None else np.exp(s) * mask
    t = e.sum(-1, keepdims=True)
    weights = e / np.where(t == 0, 1, t)
    dV = np.swapaxes(weights, -1, -2) @ d_output
    d_weights = d_output @ np.swapaxes(V, -1, -2)
    along = (weights * d_weights).sum(axis=-1, keepdims=True)
    d_scores = weights * (d_weights - along) / np.sqrt(Q.shape[-1])
    return d_scores @ K, np.swapaxes(d_scores, -1, -2) @ Q, dV
