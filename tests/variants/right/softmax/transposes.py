"""Transposes by hand."""

import numpy as np

def softmax(x, axis=-1):
    arr = np.asarray(x, dtype=float)
    n = arr.ndim
    axis = axis + n if axis < 0 else axis
    order = [i for i in range(n) if i != axis] + [axis]
    back = np.argsort(order)
    t = arr.transpose(order)
    t2 = t.reshape(-1, t.shape[-1])
    e = np.exp(t2 - t2.max(1)[:, None])
    e = e / e.sum(1)[:, None]
    return e.reshape(t.shape).transpose(back)
