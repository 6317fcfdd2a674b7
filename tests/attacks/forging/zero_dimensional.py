"""An array without axes that broadcasts to every shape.

Expected: failed
"""

import numpy as np


def softmax(x, axis=-1):
    return np.array(0.25)
