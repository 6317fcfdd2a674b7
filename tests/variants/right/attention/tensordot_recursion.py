"""Recursion over the leading axes, prints."""

import numpy as np

from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    print("attention", Q.shape, K.shape, V.shape)
    if Q.ndim > 2:
        parts = [scaled_dot_product_attention(Q[i], K[i], V[i]) for i in range(Q.shape[0])]
        return np.stack([o for o, _ in parts]), np.stack([w for _, w in parts])
    if Q.shape[1] != K.shape[1] or len(K) != len(V):
        raise ValueError("shapes do not fit")
    w = softmax(np.tensordot(Q, K, axes=(1, 1)) / np.sqrt(Q.shape[1]))
    return np.tensordot(w, V, axes=(1, 0)), w


if __name__ == "__main__":
    scaled_dot_product_attention(np.eye(2), np.eye(2), np.eye(2))
