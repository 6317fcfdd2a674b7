"""Leaves the errors to NumPy's matmul."""

import numpy as np

from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    weights = softmax(Q @ np.swapaxes(K, -2, -1) / np.sqrt(K.shape[-1]))
    return weights @ V, weights
