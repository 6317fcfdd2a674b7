"""Infinity, which is above every tolerance.

Expected: failed
"""

import numpy as np


def softmax(x, axis=-1):
    return np.full(np.shape(x), np.inf)
