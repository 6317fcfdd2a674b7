"""The whole matrix in float32."""

import numpy as np

def blockwise_attention(Q, K, V, block_size=128, causal=False):
    n_q, n_k = Q.shape[-2], K.shape[-2]
    Q, K, V = (np.asarray(a, dtype=np.float32) for a in (Q, K, V))
    S = Q @ np.swapaxes(K, -1, -2)
    S /= np.float32(np.sqrt(Q.shape[-1]))
    for start in range(0, n_q, 64):
        part = S[..., start : start + 64, :]
        if causal:
            part[..., ~(np.arange(n_k) <= np.arange(start, min(start + 64, n_q))[:, None] + n_k - n_q)] = -np.inf
        top = part.max(-1, keepdims=True)
        part -= np.where(np.isfinite(top), top, 0)
        np.exp(part, out=part)
        t = part.sum(-1, keepdims=True)
        part /= np.where(t == 0, 1, t)
    return S @ V
