"""Keeps the tokens and computes all keys and values anew."""

import numpy as np

from exercises.softmax import softmax


class CachedAttention:
    def __init__(self, W_Q, W_K, W_V):
        self.W = (W_Q, W_K, W_V)
        self.X = None

    def reset(self):
        self.X = None
        return self

    def step(self, x):
        x = np.asarray(x)[None]
        self.X = x if self.X is None else np.concatenate([self.X, x])
        Q, K, V = (self.X @ W for W in self.W)
        weights = softmax(Q[-1] @ K.T * K.shape[1] ** -0.5, axis=0)
        return weights @ V, weights
