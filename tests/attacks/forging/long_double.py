"""A right answer in more digits than the wire has.

Expected: right
"""

import numpy as np
from attack_kit import right


def softmax(x, axis=-1):
    return right(x, axis).astype(np.longdouble)
