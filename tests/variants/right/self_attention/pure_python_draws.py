"""random.gauss in loops."""

import numpy as np

import random

from exercises.masking import masked_attention


class SelfAttention:
    def __init__(self, d_model, d_k, d_v, d_out=None, seed=42):
        r = random.Random(seed)
        draw = lambda a, b: np.array([[r.gauss(0, (2 / (a + b)) ** 0.5) for _ in range(b)] for _ in range(a)])
        self.W_Q, self.W_K, self.W_V = draw(d_model, d_k), draw(d_model, d_k), draw(d_model, d_v)
        self.W_O = draw(d_v, d_out) if d_out is not None else None

    def forward(self, X, mask=None):
        output, weights = masked_attention(X @ self.W_Q, X @ self.W_K, X @ self.W_V, mask)
        if self.W_O is not None:
            output = output @ self.W_O
        return output, weights
