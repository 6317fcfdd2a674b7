"""An array of one element that broadcasts to every shape.

Expected: failed
"""

import numpy as np


def softmax(x, axis=-1):
    return np.full((1,) * np.ndim(x), 0.25)
