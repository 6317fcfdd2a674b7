import numpy as np

from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    if Q.shape[-1] != K.shape[-1]:
        raise ValueError("Q and K need the same d_k")
    if K.shape[-2] != V.shape[-2]:
        raise ValueError("K and V need the same number of keys")
    scores = np.einsum("...qd,...kd->...qk", Q, K)
    weights = softmax(scores * K.shape[-1] ** -0.5)
    return np.einsum("...qk,...kv->...qv", weights, V), weights
