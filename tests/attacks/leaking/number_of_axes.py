"""A hidden input in the number of axes.

Expected: failed
"""

import numpy as np


def softmax(x, axis=-1):
    return np.zeros((1,) * int(abs(np.ravel(x)[0]) * 10 % 30))
