"""A temperature of 2."""

import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    shifted = x - np.max(x, axis=axis, keepdims=True)
    e = np.exp(shifted / 2)
    return e / np.sum(e, axis=axis, keepdims=True)
