"""Clips shifted scores at -700, harmless."""

import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    shifted = x - np.max(x, axis=axis, keepdims=True)
    e = np.exp(np.clip(shifted, -700, 0))
    return e / np.sum(e, axis=axis, keepdims=True)
