"""The two numbers in the other order."""

import numpy as np


def dot_product_std(d_k, n_pairs=10_000, seed=0):
    rng = np.random.default_rng(seed)
    q = rng.normal(size=(n_pairs, d_k))
    k = rng.normal(size=(n_pairs, d_k))
    dots = (q * k).sum(axis=1)
    return (dots / np.sqrt(d_k)).std(), dots.std()


def softmax_jacobian(weights):
    n = weights.shape[-1]
    outer = weights[..., :, None] * weights[..., None, :]
    diagonal = weights[..., :, None] * np.eye(n)
    return diagonal - outer
