"""A masked array, in which no element takes part in a comparison.

Expected: failed
"""

import numpy as np


def softmax(x, axis=-1):
    return np.ma.masked_all(np.shape(x))
