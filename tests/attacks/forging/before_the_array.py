"""A view of what lies before the array, in the order of its reflection.

Expected: failed
"""

import numpy as np


def softmax(x, axis=-1):
    return np.lib.stride_tricks.as_strided(np.zeros(64)[32:], np.shape(x), (-8,) * np.ndim(x))
