import numpy as np

from exercises.masking import masked_attention


class SelfAttention:
    def __init__(self, d_model, d_k, d_v, d_out=None, seed=42):
        rng = np.random.default_rng(seed)

        def xavier(fan_in, fan_out):
            limit = np.sqrt(6 / (fan_in + fan_out))
            return rng.uniform(-limit, limit, size=(fan_in, fan_out))

        self.W_Q = xavier(d_model, d_k)
        self.W_K = xavier(d_model, d_k)
        self.W_V = xavier(d_model, d_v)
        self.W_O = None if d_out is None else xavier(d_v, d_out)

    def forward(self, X, mask=None):
        output, weights = masked_attention(X @ self.W_Q, X @ self.W_K, X @ self.W_V, mask)
        if self.W_O is not None:
            output = output @ self.W_O
        return output, weights
