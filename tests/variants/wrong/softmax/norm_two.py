"""Divides by the root of the sum of squares."""

import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    shifted = x - np.max(x, axis=axis, keepdims=True)
    e = np.exp(shifted)
    return e / np.sqrt(np.sum(e**2, axis=axis, keepdims=True))
