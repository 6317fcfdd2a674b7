"""Attributes as properties over a dictionary."""

import numpy as np

from exercises.masking import masked_attention


def _property(name):
    return property(lambda self: self._weights[name], lambda self, value: self._weights.__setitem__(name, np.asarray(value)))


class SelfAttention:
    W_Q, W_K, W_V, W_O = (_property(name) for name in ("W_Q", "W_K", "W_V", "W_O"))

    def __init__(self, d_model, d_k, d_v, d_out=None, seed=42):
        rng = np.random.default_rng(seed)
        normal = lambda a, b: rng.normal(0, np.sqrt(2 / (a + b)), (a, b))
        self._weights = {"W_Q": normal(d_model, d_k), "W_K": normal(d_model, d_k), "W_V": normal(d_model, d_v)}
        self._weights["W_O"] = None if d_out is None else normal(d_v, d_out)

    def forward(self, X, mask=None):
        output, weights = masked_attention(X @ self.W_Q, X @ self.W_K, X @ self.W_V, mask)
        return (output if self.W_O is None else output @ self.W_O), weights
