"""A query at a time over all keys."""

import numpy as np

def blockwise_attention(Q, K, V, block_size=128, causal=False):
    lead, n_q, n_k = Q.shape[:-2], Q.shape[-2], K.shape[-2]
    out = np.zeros((*Q.shape[:-1], V.shape[-1]))
    for b in np.ndindex(*lead):
        for i in range(n_q):
            n = max(0, min(n_k, i + n_k - n_q + 1)) if causal else n_k
            if n:
                s = K[b][:n] @ Q[b][i] / np.sqrt(Q.shape[-1])
                e = np.exp(s - s.max())
                out[b + (i,)] = e @ V[b][:n] / e.sum()
    return out
