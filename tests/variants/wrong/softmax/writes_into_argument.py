"""Shifts the caller's array in place."""

import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    x -= np.max(x, axis=axis, keepdims=True)
    shifted = x
    e = np.exp(shifted)
    return e / np.sum(e, axis=axis, keepdims=True)
