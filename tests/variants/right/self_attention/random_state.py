"""np.random.seed and randn."""

import numpy as np

from exercises.masking import masked_attention


class SelfAttention:
    def __init__(self, d_model, d_k, d_v, d_out=None, seed=42):
        np.random.seed(seed)
        self.W_Q = np.random.randn(d_model, d_k) * np.sqrt(2 / (d_model + d_k))
        self.W_K = np.random.randn(d_model, d_k) * np.sqrt(2 / (d_model + d_k))
        self.W_V = np.random.randn(d_model, d_v) * np.sqrt(2 / (d_model + d_v))
        self.W_O = None if d_out is None else np.random.randn(d_v, d_out) * np.sqrt(2 / (d_v + d_out))

    def forward(self, X, mask=None):
        out, w = masked_attention(X @ self.W_Q, X @ self.W_K, X @ self.W_V, mask)
        out = out if self.W_O is None else out @ self.W_O
        return out, w
