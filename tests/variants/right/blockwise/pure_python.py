"""The online softmax in pure Python, one key at a time."""

import numpy as np

import math


def blockwise_attention(Q, K, V, block_size=128, causal=False):
    if Q.ndim > 2:
        return [blockwise_attention(q, k, v, block_size, causal) for q, k, v in zip(Q, K, V)]
    d_k, d_v, shift = Q.shape[1], V.shape[1], len(K) - len(Q)
    K, V = K.tolist(), V.tolist()
    out = []
    for i, q in enumerate(Q.tolist()):
        top, total, mixed = -math.inf, 0.0, [0.0] * d_v
        for j in range(len(K)):
            if causal and j > i + shift:
                break
            s = 0.0
            for a in range(d_k):
                s += q[a] * K[j][a]
            s /= math.sqrt(d_k)
            if s > top:
                shrink = math.exp(top - s)
                top, total = s, total * shrink
                mixed = [x * shrink for x in mixed]
            e = math.exp(s - top)
            total += e
            for c in range(d_v):
                mixed[c] += e * V[j][c]
        out.append([x / total for x in mixed] if total else mixed)
    return out
