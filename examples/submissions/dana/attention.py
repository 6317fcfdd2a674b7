import numpy as np

from softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    if Q.shape[-1] != K.shape[-1]:
        raise ValueError("d_k of Q and K")
    if K.shape[-2] != V.shape[-2]:
        raise ValueError("n_k of K and V")
    weights = softmax(Q @ K.swapaxes(-2, -1) / np.sqrt(Q.shape[-1]))
    return weights @ V, weights
