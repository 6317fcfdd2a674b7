"""Blocks of queries and of keys, future blocks skipped (FlashAttention)."""

import numpy as np

def blockwise_attention(Q, K, V, block_size=128, causal=False):
    n_q, n_k, shift = Q.shape[-2], K.shape[-2], K.shape[-2] - Q.shape[-2]
    out = np.zeros((*Q.shape[:-1], V.shape[-1]))
    for a in range(0, n_q, block_size):
        q = Q[..., a : a + block_size, :] / np.sqrt(Q.shape[-1])
        rows = np.arange(a, a + q.shape[-2])
        m = np.full(q.shape[:-1], -1e30)
        l = np.zeros(q.shape[:-1])
        acc = np.zeros((*q.shape[:-1], V.shape[-1]))
        for c in range(0, n_k, block_size):
            if causal and c > rows[-1] + shift:
                break
            k, v = K[..., c : c + block_size, :], V[..., c : c + block_size, :]
            s = np.einsum("...qd,...kd->...qk", q, k)
            seen = np.ones(s.shape[-2:], dtype=bool)
            if causal:
                seen = np.arange(c, c + k.shape[-2]) <= rows[:, None] + shift
            s = np.where(seen, s, -1e30)
            new = np.maximum(m, s.max(-1))
            p = np.exp(s - new[..., None]) * seen
            r = np.exp(m - new)
            l, acc, m = l * r + p.sum(-1), acc * r[..., None] + p @ v, new
        out[..., a : a + block_size, :] = acc / np.where(l == 0, 1, l)[..., None]
    return out
