"""An object whose class says that it is an array.

Expected: failed
"""

import numpy as np


class Pretends:
    @property
    def __class__(self):
        return np.ndarray

    dtype = np.dtype("f8")
    shape, ndim = (3,), 1


def softmax(x, axis=-1):
    return Pretends()
