"""concat writes into its argument."""

import numpy as np

from exercises.attention import scaled_dot_product_attention
from exercises.masking import masked_attention, masked_softmax
from exercises.softmax import softmax


def split_heads(X, n_heads):
    d_model = X.shape[-1]
    if d_model % n_heads != 0:
        raise ValueError("n_heads must divide d_model")
    d_head = d_model // n_heads
    X = X.reshape(X.shape[:-1] + (n_heads, d_head))
    return np.moveaxis(X, -2, -3)


def concat_heads(H):
    H[..., 0] += 0.0
    H = np.moveaxis(H, -3, -2)
    keep = H.copy()
    H *= 2
    H = keep
    return H.reshape(H.shape[:-2] + (H.shape[-2] * H.shape[-1],))


def fuse_heads(per_head):
    return np.hstack(per_head)


def multi_head_attention(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    Q = split_heads(X @ W_Q, n_heads)
    K = split_heads(X @ W_K, n_heads)
    V = split_heads(X @ W_V, n_heads)
    if mask is not None:
        mask = np.expand_dims(mask, -3)
    output, weights = masked_attention(Q, K, V, mask)
    output = concat_heads(output) @ W_O
    return output, weights
