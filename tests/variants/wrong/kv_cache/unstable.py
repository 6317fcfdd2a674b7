"""exp without the shift by the maximum."""

import numpy as np

from exercises.softmax import softmax


class CachedAttention:
    def __init__(self, W_Q, W_K, W_V):
        self.W_Q, self.W_K, self.W_V = W_Q, W_K, W_V
        self.reset()

    def reset(self):
        self.keys, self.values = [], []

    def step(self, x):
        query = x @ self.W_Q
        self.keys.append(x @ self.W_K)
        self.values.append(x @ self.W_V)
        scores = np.array(self.keys) @ query / np.sqrt(len(query))
        weights = np.exp(scores) / np.exp(scores).sum()
        return weights @ np.array(self.values), weights
