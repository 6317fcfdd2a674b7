"""einsum, the mask without an axis for queries."""

import numpy as np

from exercises.masking import masked_softmax


class AttentionPooling:
    def __init__(self, hidden_size, seed=42, scale=1.0):
        np.random.seed(seed)
        self.W = scale * np.random.randn(hidden_size, 1)

    def forward(self, H, mask=None):
        weights = masked_softmax(np.einsum("...nd,do->...no", H, self.W)[..., 0], mask)
        return np.einsum("...n,...nd->...d", weights, H), weights
