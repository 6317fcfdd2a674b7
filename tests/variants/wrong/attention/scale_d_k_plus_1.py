"""Divided by the root of d_k + 1."""

import numpy as np

from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    d_k = Q.shape[-1]
    if K.shape[-1] != d_k:
        raise ValueError("d_k")
    if K.shape[-2] != V.shape[-2]:
        raise ValueError("n_k")
    scores = np.matmul(Q, np.swapaxes(K, -1, -2)) / np.sqrt(d_k + 1)
    weights = softmax(scores, axis=-1)
    output = np.matmul(weights, V)
    return output, weights
