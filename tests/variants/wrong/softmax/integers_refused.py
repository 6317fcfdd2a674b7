"""Works in the dtype of the argument: integers fail at the division in place."""

import numpy as np


def softmax(x, axis=-1):
    x = np.array(x)
    shifted = x - np.max(x, axis=axis, keepdims=True)
    e = np.exp(shifted)
    out = np.zeros_like(x)
    out[...] = e / np.sum(e, axis=axis, keepdims=True)
    return out
