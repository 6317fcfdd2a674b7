"""Asks NumPy for more memory than there is.

Expected: failed
"""

import numpy as np


def softmax(x, axis=-1):
    return np.ones((len(x), 10**9)).sum(axis=-1)
