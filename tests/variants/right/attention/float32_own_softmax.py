"""All in float32, with a softmax of its own."""

import numpy as np

def scaled_dot_product_attention(Q, K, V):
    Q, K, V = (np.asarray(a, dtype=np.float32) for a in (Q, K, V))
    if Q.shape[-1] != K.shape[-1] or K.shape[-2] != V.shape[-2]:
        raise ValueError("shapes do not fit")
    scores = (Q / np.float32(Q.shape[-1] ** 0.5)) @ np.moveaxis(K, -1, -2)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    weights = e / e.sum(-1, keepdims=True)
    return weights @ V, weights
