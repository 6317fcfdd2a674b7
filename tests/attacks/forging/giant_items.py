"""Items of a gigabyte each, none of them.

Expected: failed
"""

import numpy as np


def softmax(x, axis=-1):
    return np.zeros((0,), dtype="V1000000000")
