"""Loops over sentences, heads and tokens."""

import numpy as np

from exercises.masking import masked_attention


def split_heads(X, n_heads):
    if X.ndim > 2:
        return np.array([split_heads(x, n_heads) for x in X])
    n, d = X.shape
    if d % n_heads:
        raise ValueError("heads")
    d_head = d // n_heads
    return np.array([[[X[t, h * d_head + j] for j in range(d_head)] for t in range(n)] for h in range(n_heads)])


def concat_heads(H):
    if H.ndim > 3:
        return np.array([concat_heads(h) for h in H])
    return np.array([[v for h in H for v in h[t]] for t in range(H.shape[1])])


def fuse_heads(per_head):
    return [[v for w in per_head for v in w[i]] for i in range(len(per_head[0]))]


def multi_head_attention(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    if mask is not None:
        mask = np.broadcast_to(np.asarray(mask), X.shape[:-1] + X.shape[-2:-1])
    if X.ndim > 2:
        parts = [multi_head_attention(x, n_heads, W_Q, W_K, W_V, W_O, None if mask is None else m) for x, m in zip(X, X if mask is None else mask)]
        return np.array([p[0] for p in parts]), np.array([p[1] for p in parts])
    Q, K, V = (split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    parts = [masked_attention(Q[h], K[h], V[h], mask) for h in range(n_heads)]
    return concat_heads(np.array([p[0] for p in parts])) @ W_O, np.array([p[1] for p in parts])
