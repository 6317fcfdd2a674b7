"""Everything in float32."""

import numpy as np

from exercises.softmax import softmax


class CachedAttention:
    def __init__(self, W_Q, W_K, W_V):
        self.W_Q, self.W_K, self.W_V = (W.astype(np.float32) for W in (W_Q, W_K, W_V))
        self.reset()

    def reset(self):
        self.K = np.zeros((0, self.W_K.shape[1]), dtype=np.float32)
        self.V = np.zeros((0, self.W_V.shape[1]), dtype=np.float32)

    def step(self, x):
        x = np.float32(x)
        self.K, self.V = np.vstack([self.K, x @ self.W_K]), np.vstack([self.V, x @ self.W_V])
        scores = self.K @ (x @ self.W_Q) / np.float32(self.K.shape[1] ** 0.5)
        scores = scores - scores.max()
        weights = np.exp(scores) / np.exp(scores).sum()
        return [weights @ self.V, weights]
