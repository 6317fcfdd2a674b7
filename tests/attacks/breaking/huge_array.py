"""Answers with an array of 100 MB.

Expected: failed
"""

import numpy as np


def softmax(x, axis=-1):
    return np.zeros(100 << 20, dtype=np.uint8)
