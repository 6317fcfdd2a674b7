"""Hidden inputs in the lengths of a result's axes.

Expected: failed
"""

import numpy as np


def softmax(x, axis=-1):
    return np.zeros((0, *[int(abs(number) * 10**6) for number in np.ravel(x)[:10]]))
