"""NaN, which equals nothing and so differs from nothing either.

Expected: failed
"""

import numpy as np


def softmax(x, axis=-1):
    return np.full(np.shape(x), np.nan)
