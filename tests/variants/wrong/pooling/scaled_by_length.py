"""Scores scaled by the root of the length."""

import numpy as np

from exercises.masking import masked_softmax
from exercises.softmax import softmax


class AttentionPooling:
    def __init__(self, hidden_size, seed=42):
        rng = np.random.default_rng(seed)
        self.W = rng.normal(size=(hidden_size, 1)) * 0.1

    def forward(self, H, mask=None):
        scores = (H @ self.W)[..., 0] / np.sqrt(H.shape[-2])
        if mask is None:
            weights = softmax(scores, axis=-1)
        else:
            weights = masked_softmax(scores[..., None, :], np.asarray(mask)[..., None, :])[..., 0, :]
        output = (weights[..., None] * H).sum(axis=-2)
        return output, weights
