"""Answers with an array that has a huge shape and no number.

Expected: failed
"""

import numpy as np


def softmax(x, axis=-1):
    return np.zeros((0, 2**40), dtype=np.uint8)
