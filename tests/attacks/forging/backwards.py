"""A right answer whose strides are negative.

Expected: right
"""

import numpy as np
from attack_kit import right


def softmax(x, axis=-1):
    return right(x[::-1], axis)[::-1] if np.ndim(x) > 1 and axis in (-1, np.ndim(x) - 1) else np.flip(np.flip(right(x, axis)))
