"""Uniform from 0."""

import numpy as np

from exercises.masking import masked_attention


class SelfAttention:
    def __init__(self, d_model, d_k, d_v, d_out=None, seed=42):
        rng = np.random.default_rng(seed)
        self.W_Q = rng.uniform(0, np.sqrt(24 / (d_model + d_k)), (d_model, d_k))
        self.W_K = rng.uniform(0, np.sqrt(24 / (d_model + d_k)), (d_model, d_k))
        self.W_V = rng.uniform(0, np.sqrt(24 / (d_model + d_v)), (d_model, d_v))
        self.W_O = None
        if d_out is not None:
            self.W_O = rng.uniform(0, np.sqrt(24 / (d_v + d_out)), (d_v, d_out))

    def forward(self, X, mask=None):
        Q = X @ self.W_Q
        K = X @ self.W_K
        V = X @ self.W_V
        output, weights = masked_attention(Q, K, V, mask)
        if self.W_O is not None:
            output = output @ self.W_O
        return output, weights
