"""Pure Python loops, lists as results."""

import numpy as np

import math


def _soft(row):
    top = max(row)
    e = [math.exp(v - top) for v in row]
    return [v / sum(e) for v in e]


def _one(Q, K, V):
    if len(Q[0]) != len(K[0]):
        raise ValueError("d_k")
    if len(K) != len(V):
        raise ValueError("n_k")
    scale = math.sqrt(len(Q[0]))
    weights = [_soft([sum(a * b for a, b in zip(q, k)) / scale for k in K]) for q in Q]
    output = [[sum(w * v[j] for w, v in zip(row, V)) for j in range(len(V[0]))] for row in weights]
    return output, weights


def _many(Q, K, V, depth):
    if depth == 2:
        return _one(Q, K, V)
    pairs = [_many(q, k, v, depth - 1) for q, k, v in zip(Q, K, V)]
    return [p[0] for p in pairs], [p[1] for p in pairs]


def scaled_dot_product_attention(Q, K, V):
    return _many(Q.tolist(), K.tolist(), V.tolist(), Q.ndim)
