"""Lists and loops."""

import math

import numpy as np


def linear(x, W, b):
    return [sum(a * w for a, w in zip(x, row)) + c for row, c in zip(W, b)]


def sentence(X, state, n_heads, mask):
    d = len(X[0])
    step = d // n_heads
    W, b = state["in_proj_weight"].tolist(), state["in_proj_bias"].tolist()
    q, k, v = ([linear(x, W[i * d : (i + 1) * d], b[i * d : (i + 1) * d]) for x in X] for i in range(3))
    n = len(X)
    mean = [[0.0] * n for _ in X]
    concat = [[0.0] * d for _ in X]
    for h in range(n_heads):
        part = slice(h * step, (h + 1) * step)
        for i in range(n):
            allowed = [j for j in range(n) if mask is None or mask[i][j]]
            scores = {j: sum(a * c for a, c in zip(q[i][part], k[j][part])) / math.sqrt(step) for j in allowed}
            top = max(scores.values())
            exps = {j: math.exp(s - top) for j, s in scores.items()}
            total = sum(exps.values())
            for j, e in exps.items():
                mean[i][j] += e / total / n_heads
                for f in range(h * step, (h + 1) * step):
                    concat[i][f] += e / total * v[j][f]
    return [linear(x, state["out_proj.weight"].tolist(), state["out_proj.bias"].tolist()) for x in concat], mean


def multi_head_from_torch(X, state, n_heads, mask=None):
    if X.ndim == 2:
        n = len(X)
        return sentence(X.tolist(), state, n_heads, None if mask is None else np.broadcast_to(mask, (n, n)).tolist())
    full = None if mask is None else np.broadcast_to(mask, (*X.shape[:-1], X.shape[-2]))
    results = [multi_head_from_torch(x, state, n_heads, None if mask is None else full[i]) for i, x in enumerate(X)]
    return tuple(list(part) for part in zip(*results))
