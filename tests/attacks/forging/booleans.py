"""Booleans, which are numbers to whoever adds them up.

Expected: failed
"""

import numpy as np


def softmax(x, axis=-1):
    return np.ones(np.shape(x), dtype=bool)
