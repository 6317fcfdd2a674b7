"""Loops over exactly one batch axis."""

import numpy as np

from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    if Q.shape[-1] != K.shape[-1] or K.shape[-2] != V.shape[-2]:
        raise ValueError("shapes")
    weights = np.array([softmax(q @ k.T / np.sqrt(q.shape[-1])) for q, k in zip(Q, K)])
    return np.array([w @ v for w, v in zip(weights, V)]), weights
