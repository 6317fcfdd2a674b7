"""Blocks of queries, the softmax whole."""

import numpy as np

def blockwise_attention(Q, K, V, block_size=128, causal=False):
    n_q, n_k = Q.shape[-2], K.shape[-2]
    out = []
    for start in range(0, n_q, block_size):
        q = Q[..., start : start + block_size, :]
        s = q @ K.swapaxes(-1, -2) * Q.shape[-1] ** -0.5
        if causal:
            blocked = np.arange(n_k) > np.arange(start, start + q.shape[-2])[:, None] + n_k - n_q
            s[..., blocked] = -np.inf
        top = s.max(axis=-1, keepdims=True)
        top[~np.isfinite(top)] = 0
        np.exp(np.subtract(s, top, out=s), out=s)
        t = s.sum(axis=-1, keepdims=True)
        out.append(s @ V / np.maximum(t, 1e-300))
    return np.concatenate(out, axis=-2)
