"""A view far outside of the array, of whatever lies there.

Expected: crashed
"""

import numpy as np


def softmax(x, axis=-1):
    return np.lib.stride_tricks.as_strided(np.zeros(1), np.shape(x), (1 << 40,) * np.ndim(x))
