"""Causal attention over the whole prefix with a fill of -1e9, last row."""

import numpy as np

from exercises.softmax import softmax


class CachedAttention:
    def __init__(self, W_Q, W_K, W_V):
        self.W_Q, self.W_K, self.W_V, self.tokens = W_Q, W_K, W_V, []

    def reset(self):
        del self.tokens[:]

    def step(self, x):
        self.tokens.append(np.array(x))
        X = np.stack(self.tokens)
        scores = (X @ self.W_Q) @ (X @ self.W_K).T / np.sqrt(self.W_K.shape[-1])
        scores = np.where(np.tri(len(X), dtype=bool), scores, -1e9)
        weights = softmax(scores)
        return tuple(part[-1] for part in (weights @ (X @ self.W_V), weights))
