"""Pure Python, recursive over the batch."""

import math
import random

import numpy as np


class AttentionPooling:
    def __init__(self, hidden_size, seed=42):
        draw = random.Random(seed)
        self.W = np.array([[draw.uniform(-1, 1)] for _ in range(hidden_size)])

    def forward(self, H, mask=None):
        if np.ndim(H) > 2:
            both = [self.forward(h, None if mask is None else m) for h, m in zip(H, mask if mask is not None else H)]
            return [o for o, _ in both], [w for _, w in both]
        w = [float(x) for x, in self.W]
        rows = [[float(x) for x in row] for row in H]
        keep = [True] * len(rows) if mask is None else [bool(m) for m in mask]
        scores = [sum(a * b for a, b in zip(row, w)) for row in rows]
        top = max([s for s, k in zip(scores, keep) if k], default=0.0)
        exps = [math.exp(s - top) if k else 0.0 for s, k in zip(scores, keep)]
        total = sum(exps) or 1.0
        weights = [e / total for e in exps]
        return [sum(a * row[j] for a, row in zip(weights, rows)) for j in range(len(w))], weights
