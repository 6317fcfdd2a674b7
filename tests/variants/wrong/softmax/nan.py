"""NaN everywhere."""

import numpy as np

def softmax(x, axis=-1):
    return np.full(np.shape(x), np.nan)
