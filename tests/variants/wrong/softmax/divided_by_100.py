"""Makes large scores smaller instead of shifting them."""

import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    shifted = x / 1000 if np.abs(x).max() > 700 else x
    e = np.exp(shifted)
    return e / np.sum(e, axis=axis, keepdims=True)
