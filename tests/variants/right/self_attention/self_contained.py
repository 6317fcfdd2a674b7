"""An attention of its own, a fill of -1e9."""

import numpy as np

class SelfAttention:
    def __init__(self, d_model, d_k, d_v, d_out=None, seed=42, bias=False):
        rng = np.random.default_rng(seed)
        scale = lambda i, o: np.sqrt(2.0 / (i + o))
        self.W_Q = scale(d_model, d_k) * rng.standard_normal((d_model, d_k))
        self.W_K = scale(d_model, d_k) * rng.standard_normal((d_model, d_k))
        self.W_V = scale(d_model, d_v) * rng.standard_normal((d_model, d_v))
        self.W_O = scale(d_v, d_out) * rng.standard_normal((d_v, d_out)) if d_out is not None else None

    def forward(self, X, mask=None, return_scores=False):
        Q, K, V = np.dot(X, self.W_Q), np.dot(X, self.W_K), np.dot(X, self.W_V)
        scores = np.matmul(Q, K.swapaxes(-1, -2)) / np.sqrt(Q.shape[-1])
        if mask is not None:
            allowed = np.broadcast_to(mask, scores.shape).astype(bool)
            scores = np.where(allowed, scores, -1e9)
        e = np.exp(scores - scores.max(-1, keepdims=True))
        weights = e / e.sum(-1, keepdims=True)
        if mask is not None:
            weights = weights * allowed
        output = weights @ V
        if self.W_O is not None:
            output = output @ self.W_O
        return output, weights
