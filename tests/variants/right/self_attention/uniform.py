"""Uniform Xavier."""

import numpy as np

from exercises.masking import masked_attention


class SelfAttention:
    def __init__(self, d_model, d_k, d_v, d_out=None, seed=42):
        self.rng = np.random.default_rng(seed)
        self.W_O = self._draw(d_v, d_out) if d_out is not None else None
        self.W_V = self._draw(d_model, d_v)
        self.W_K = self._draw(d_model, d_k)
        self.W_Q = self._draw(d_model, d_k)

    def _draw(self, a, b):
        limit = np.sqrt(6 / (a + b))
        return self.rng.uniform(-limit, limit, size=(a, b))

    def forward(self, X, mask=None):
        output, weights = masked_attention(X @ self.W_Q, X @ self.W_K, X @ self.W_V, mask=mask)
        return [output if self.W_O is None else output @ self.W_O, weights]
