"""Hidden inputs as the number of separate values.

Expected: failed
"""

import numpy as np


def softmax(x, axis=-1):
    return ["x"] * int(abs(np.ravel(x)[0]) * 10**4 % 10**5)
