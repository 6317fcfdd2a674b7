"""A read-only, non-contiguous view."""

import numpy as np

def softmax(x, axis=-1):
    y = np.swapaxes(np.asarray(x, dtype=float), axis, -1)
    e = np.exp(y - y.max(axis=-1, keepdims=True))
    out = np.swapaxes(e / e.sum(axis=-1, keepdims=True), axis, -1)
    out.flags.writeable = False
    return out
