"""No shift, NaN made 0."""

import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    shifted = x
    e = np.exp(shifted)
    return np.nan_to_num(e / np.sum(e, axis=axis, keepdims=True))
