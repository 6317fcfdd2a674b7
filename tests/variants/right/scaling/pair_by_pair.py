"""One pair at a time; the Jacobian by reshape and a loop."""

import numpy as np


def dot_product_std(d_k, n_pairs=10_000, seed=0, verbose=False):
    rng = np.random.default_rng([seed, d_k])
    dots = []
    for _ in range(n_pairs):
        dots.append(rng.standard_normal(d_k) @ rng.standard_normal(d_k))
    raw = np.std(dots)
    return raw, raw / np.sqrt(d_k)


def softmax_jacobian(weights):
    n = weights.shape[-1]
    rows = weights.reshape(-1, n)
    return np.array([np.diag(w) - np.outer(w, w) for w in rows]).reshape(*weights.shape, n)
