"""softmax on a matrix with one row, a warning and a print, read-only results."""

import numpy as np

from exercises.softmax import softmax


import warnings


class CachedAttention:
    def __init__(self, W_Q, W_K, W_V):
        self.W_QKV = np.concatenate([W_Q, W_K, W_V], axis=1)
        self.d_k = W_Q.shape[1]
        self.past = []
        print("ready")

    def reset(self):
        warnings.warn("forgetting")
        self.past = []

    def step(self, x):
        row = x @ self.W_QKV
        q, k, v = row[: self.d_k], row[self.d_k : 2 * self.d_k], row[2 * self.d_k :]
        self.past = self.past + [(k, v)]
        K, V = (np.stack(part) for part in zip(*self.past))
        weights = softmax(x=(q[None] @ K.T) / np.sqrt(self.d_k), axis=1)
        output = (weights @ V)[0]
        output.setflags(write=False)
        return output, weights[0]
