"""Pure Python that keeps all weights in lists."""

import numpy as np

import math


def blockwise_attention(Q, K, V, block_size=128, causal=False):
    if Q.ndim > 2:
        return [blockwise_attention(q, k, v, block_size, causal) for q, k, v in zip(Q, K, V)]
    Q, K, V = Q.tolist(), K.tolist(), V.tolist()
    root, shift = math.sqrt(len(Q[0])), len(K) - len(Q)
    rows = []
    for i, q in enumerate(Q):
        n = min(len(K), i + shift + 1) if causal else len(K)
        s = [sum(a * b for a, b in zip(q, k)) / root for k in K[: max(n, 0)]]
        top = max(s, default=0)
        rows.append([math.exp(x - top) for x in s])
    return [[sum(w * v[c] for w, v in zip(r, V)) / sum(r) if r else 0.0 for c in range(len(V[0]))] for r in rows]
