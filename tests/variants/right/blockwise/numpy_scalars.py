"""Loops over queries and keys by indexing arrays, the slowest way."""

import numpy as np

def blockwise_attention(Q, K, V, block_size=128, causal=False):
    out = np.zeros(Q.shape[:-1] + V.shape[-1:])
    n_q, n_k = Q.shape[-2], K.shape[-2]
    for b in np.ndindex(Q.shape[:-2]):
        for i in range(n_q):
            m, l, acc = -np.inf, 0.0, np.zeros(V.shape[-1])
            for start in range(0, n_k, block_size):
                for j in range(start, min(start + block_size, n_k)):
                    if causal and j - (n_k - n_q) > i:
                        continue
                    s = np.dot(Q[b][i], K[b][j]) / np.sqrt(Q.shape[-1])
                    new = max(m, s)
                    acc = acc * np.exp(m - new) + np.exp(s - new) * V[b][j]
                    l = l * np.exp(m - new) + np.exp(s - new)
                    m = new
            out[b][i] = acc / l if l > 0 else 0.0
    return out
