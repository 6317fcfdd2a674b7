"""Loops over everything, lists as results."""

import numpy as np

import math


def attention_backward(d_output, Q, K, V, mask=None):
    if Q.ndim > 2:
        if mask is not None:
            mask = np.broadcast_to(mask, (*Q.shape[:-1], K.shape[-2]))
        parts = [attention_backward(d_output[b], Q[b], K[b], V[b], None if mask is None else mask[b]) for b in range(len(Q))]
        return [p[0] for p in parts], [p[1] for p in parts], [p[2] for p in parts]
    n_q, n_k, d_k, d_v = len(Q), len(K), Q.shape[1], V.shape[1]
    allowed = np.ones((n_q, n_k)) if mask is None else np.broadcast_to(mask, (n_q, n_k))
    dO, Q, K, V = d_output.tolist(), Q.tolist(), K.tolist(), V.tolist()
    dQ = [[0.0] * d_k for _ in range(n_q)]
    dK = [[0.0] * d_k for _ in range(n_k)]
    dV = [[0.0] * d_v for _ in range(n_k)]
    for i in range(n_q):
        seen = [j for j in range(n_k) if allowed[i][j]]
        if not seen:
            continue
        s = {j: sum(Q[i][a] * K[j][a] for a in range(d_k)) / math.sqrt(d_k) for j in seen}
        top = max(s.values())
        e = {j: math.exp(s[j] - top) for j in seen}
        total = sum(e.values())
        g = {j: sum(dO[i][c] * V[j][c] for c in range(d_v)) for j in seen}
        mean = sum(e[j] / total * g[j] for j in seen)
        for j in seen:
            weight = e[j] / total
            ds = weight * (g[j] - mean) / math.sqrt(d_k)
            for a in range(d_k):
                dQ[i][a] += ds * K[j][a]
                dK[j][a] += ds * Q[i][a]
            for c in range(d_v):
                dV[j][c] += weight * dO[i][c]
    return dQ, dK, dV
