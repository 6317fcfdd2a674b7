"""Loops and lists, own softmax."""

import numpy as np

import math


class CachedAttention:
    def __init__(self, W_Q, W_K, W_V):
        self.W_Q, self.W_K, self.W_V = W_Q.tolist(), W_K.tolist(), W_V.tolist()
        self.cache = []

    def reset(self):
        self.cache.clear()

    @staticmethod
    def times(x, W):
        return [sum(a * row[j] for a, row in zip(x, W)) for j in range(len(W[0]))]

    def step(self, x):
        x = [float(a) for a in x]
        q = self.times(x, self.W_Q)
        self.cache.append((self.times(x, self.W_K), self.times(x, self.W_V)))
        scores = [sum(a * b for a, b in zip(q, k)) / math.sqrt(len(q)) for k, _ in self.cache]
        top = max(scores)
        exps = [math.exp(s - top) for s in scores]
        weights = [e / sum(exps) for e in exps]
        return [sum(w * v[j] for w, (_, v) in zip(weights, self.cache)) for j in range(len(self.cache[0][1]))], weights
