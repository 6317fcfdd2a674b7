"""Dates.

Expected: failed
"""

import numpy as np


def softmax(x, axis=-1):
    return np.zeros(np.shape(x), dtype="M8[s]")
