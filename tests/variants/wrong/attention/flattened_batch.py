"""All sentences of a batch see each other."""

import numpy as np

from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    if Q.shape[-1] != K.shape[-1] or K.shape[-2] != V.shape[-2]:
        raise ValueError("shapes")
    q, k, v = (a.reshape(-1, a.shape[-1]) for a in (Q, K, V))
    weights = softmax(q @ k.T / np.sqrt(q.shape[-1]))
    return (weights @ v).reshape(*Q.shape[:-1], V.shape[-1]), weights
