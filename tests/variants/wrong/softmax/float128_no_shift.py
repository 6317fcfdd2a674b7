"""No shift, but long doubles."""

import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=np.longdouble)
    shifted = x
    e = np.exp(shifted)
    return (e / np.sum(e, axis=axis, keepdims=True)).astype(float)
