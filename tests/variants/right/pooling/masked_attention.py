"""masked_attention with a scaled query."""

import numpy as np

from exercises.masking import masked_attention


class AttentionPooling:
    def __init__(self, hidden_size, seed=42):
        self.W = np.full((hidden_size, 1), 0.01)

    def forward(self, H, mask=None):
        d = H.shape[-1]
        query = np.broadcast_to(self.W.T * np.sqrt(d), (*H.shape[:-2], 1, d))
        output, weights = masked_attention(query, H, H, None if mask is None else np.expand_dims(mask, -2))
        return output[..., 0, :], weights[..., 0, :]
