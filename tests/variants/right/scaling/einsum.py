"""einsum and new pairs for the second number."""

import numpy as np


def dot_product_std(d_k, n_pairs=10_000, seed=0):
    rng = np.random.RandomState(seed)

    def dots():
        return np.einsum("nd,nd->n", rng.randn(n_pairs, d_k), rng.randn(n_pairs, d_k))

    return np.std(dots(), ddof=1), np.std(dots() / d_k**0.5, ddof=1)


def softmax_jacobian(weights):
    return np.einsum("...i,ij->...ij", weights, np.eye(weights.shape[-1])) - np.einsum("...i,...j->...ij", weights, weights)
