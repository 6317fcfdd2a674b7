"""A buffer that doubles when it is full, and copies as results."""

import numpy as np

from exercises.softmax import softmax


class CachedAttention:
    def __init__(self, W_Q, W_K, W_V, capacity=2):
        self.W_Q, self.W_K, self.W_V = W_Q.copy(), W_K.copy(), W_V.copy()
        self.K, self.V = np.empty((capacity, W_K.shape[1])), np.empty((capacity, W_V.shape[1]))
        self.n = 0

    def reset(self):
        self.n = 0

    def step(self, x):
        if self.n == len(self.K):
            self.K, self.V = np.concatenate([self.K, self.K]), np.concatenate([self.V, self.V])
        self.K[self.n], self.V[self.n] = x @ self.W_K, x @ self.W_V
        self.n += 1
        scores = np.einsum("td,d->t", self.K[: self.n], x @ self.W_Q) / self.K.shape[1] ** 0.5
        weights = softmax(scores)
        return np.einsum("t,tv->v", weights, self.V[: self.n]), weights
