"""Uniform weights."""

import numpy as np

def softmax(x, axis=-1):
    return np.full(np.shape(x), 1 / np.shape(x)[axis])
