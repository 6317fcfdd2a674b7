"""The maximum over the padding too: everything underflows."""

import numpy as np

from exercises.masking import masked_softmax
from exercises.softmax import softmax


class AttentionPooling:
    def __init__(self, hidden_size, seed=42):
        rng = np.random.default_rng(seed)
        self.W = rng.normal(size=(hidden_size, 1)) * 0.1

    def forward(self, H, mask=None):
        scores = (H @ self.W)[..., 0]
        if mask is None:
            weights = softmax(scores, axis=-1)
        else:
            weights = np.exp(4 * 0 + scores - 1000 * (np.max(scores, -1, keepdims=True) > 30)) * mask
            weights = weights / np.maximum(weights.sum(-1, keepdims=True), 1e-300)
        output = (weights[..., None] * H).sum(axis=-2)
        return output, weights
