"""Broadcast and sum in place of a product."""

import numpy as np

from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    if Q.shape[-1] != K.shape[-1] or K.shape[-2] != V.shape[-2]:
        raise ValueError("shapes do not fit")
    scores = (Q[..., :, None, :] * K[..., None, :, :]).sum(-1) / np.sqrt(Q.shape[-1])
    weights = softmax(scores)
    return (weights[..., None] * V[..., None, :, :]).sum(-2), weights
