"""Answers with an array of 64 axes.

Expected: failed
"""

import numpy as np


def softmax(x, axis=-1):
    return np.zeros((1,) * (64 if np.lib.NumpyVersion(np.__version__) >= "2.0.0" else 32))
