"""The new key and value are used, but not kept for later."""

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
        keys, values = [*self.keys, x @ self.W_K], [*self.values, x @ self.W_V]
        scores = np.array(keys) @ query / np.sqrt(len(query))
        weights = softmax(scores)
        return weights @ np.array(values), weights
