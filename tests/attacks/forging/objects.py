"""An array of objects that are equal to everything.

Expected: failed
"""

import numpy as np


class Equal:
    def __eq__(self, other):
        return True

    def __sub__(self, other):
        return 0.0

    __rsub__ = __sub__

    def __float__(self):
        return 0.5


def softmax(x, axis=-1):
    return np.full(np.shape(x), Equal(), dtype=object)
