"""Everything in float32, the results as 0-d arrays."""

import numpy as np


def dot_product_std(d_k, n_pairs=10_000, seed=0):
    np.random.seed(seed)
    q = np.random.standard_normal((d_k, n_pairs)).astype(np.float32)
    k = np.random.standard_normal((d_k, n_pairs)).astype(np.float32)
    dots = (q * k).sum(0)
    return np.array([dots.std(), (dots / np.sqrt(np.float32(d_k))).std()])


def softmax_jacobian(weights):
    w = weights.astype(np.float32)
    J = -w[..., None] @ w[..., None, :]
    i = np.arange(w.shape[-1])
    J[..., i, i] += w
    return J
