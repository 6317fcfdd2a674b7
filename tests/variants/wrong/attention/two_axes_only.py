"""One sentence only."""

import numpy as np

from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    if Q.shape[1] != K.shape[1] or K.shape[0] != V.shape[0]:
        raise ValueError("shapes")
    weights = softmax(Q @ K.T / np.sqrt(Q.shape[1]))
    return weights @ V, weights
