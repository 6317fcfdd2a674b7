"""Loops and the random module, no NumPy."""

import math
import random


def dot_product_std(d_k, n_pairs=10_000, seed=0):
    draw = random.Random(seed).gauss
    dots = [sum(draw(0, 1) * draw(0, 1) for _ in range(d_k)) for _ in range(n_pairs)]

    def std(numbers):
        mean = sum(numbers) / len(numbers)
        return math.sqrt(sum((x - mean) ** 2 for x in numbers) / (len(numbers) - 1))

    return [std(dots), std([dot / math.sqrt(d_k) for dot in dots])]


def softmax_jacobian(weights):
    if weights.ndim == 1:
        w = weights.tolist()
        return [[a * ((i == j) - b) for j, b in enumerate(w)] for i, a in enumerate(w)]
    return [softmax_jacobian(row) for row in weights]
