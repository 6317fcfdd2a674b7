"""Durations, which can be subtracted from numbers.

Expected: failed
"""

import numpy as np


def softmax(x, axis=-1):
    return np.zeros(np.shape(x), dtype="m8[s]")
