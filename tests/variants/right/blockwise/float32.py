"""float32, two passes: the maximum first."""

import numpy as np

def blockwise_attention(Q, K, V, block_size=128, causal=False):
    Q, K, V = (np.asarray(a, dtype=np.float32) for a in (Q, K, V))
    n_q, n_k = Q.shape[-2], K.shape[-2]

    def scores():
        for c in range(0, n_k, block_size):
            k = K[..., c : c + block_size, :]
            s = Q @ np.swapaxes(k, -1, -2) / np.float32(np.sqrt(Q.shape[-1]))
            seen = np.arange(c, c + k.shape[-2]) <= np.arange(n_k - n_q, n_k)[:, None] if causal else np.True_
            yield np.where(seen, s, np.float32(-1e9)), seen, V[..., c : c + block_size, :]

    top = np.float32(-2e9)
    for s, _, _ in scores():
        top = np.maximum(top, s.max(-1, keepdims=True))
    total, mixed = np.float32(0), np.float32(0)
    for s, seen, v in scores():
        e = np.exp(s - top) * seen
        total = total + e.sum(-1, keepdims=True)
        mixed = mixed + e @ v
    return mixed / np.where(total == 0, np.float32(1), total)
