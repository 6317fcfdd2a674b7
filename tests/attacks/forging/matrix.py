"""A matrix, which multiplies and compares in ways of its own.

Expected: failed
"""

import numpy as np


def softmax(x, axis=-1):
    return np.matrix([[0.5]])
