"""A subclass of ndarray that decides about every function of NumPy.

Expected: failed
"""

import numpy as np


class Decides(np.ndarray):
    def __array_function__(self, function, types, args, kwargs):
        return True

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return np.zeros(np.shape(inputs[0]))

    def __eq__(self, other):
        return True

    def all(self, *args, **kwargs):
        return True


def softmax(x, axis=-1):
    return np.zeros(np.shape(x)).view(Decides)
