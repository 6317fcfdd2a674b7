"""Both vectors from one draw; a transposed view as the result."""

import numpy as np


def dot_product_std(d_k, n_pairs=10_000, seed=0):
    both = np.random.default_rng(seed).normal(size=(2, n_pairs, d_k))
    dots = np.prod(both, axis=0) @ np.ones(d_k)
    print("drawn", n_pairs, "pairs")
    return float(np.sqrt(np.mean(dots**2))), float(np.sqrt(np.mean(dots**2 / d_k)))


def softmax_jacobian(weights):
    I = np.identity(weights.shape[-1])
    J = (I - weights[..., None]) * weights[..., None, :]
    return np.swapaxes(J, -1, -2)
