"""Clips the scores to ±700 in place of a shift."""

import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    shifted = np.clip(x, -700, 700)
    e = np.exp(shifted)
    return e / np.sum(e, axis=axis, keepdims=True)
