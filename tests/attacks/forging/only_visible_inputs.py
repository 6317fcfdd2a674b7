"""Right for the inputs of the visible tests and of the docstring only, which it knows by heart.

Expected: failed
"""

import numpy as np
from attack_kit import right, wrong

KNOWN = [[1.0, 2.0, 3.0], [[1.0, 2.0], [3.0, 4.0]], [[0.0, 0.0]], [[1000.0, 1001.0, 1002.0]], [2.1, 0.3, 0.1, 0.8, 0.2]]


def softmax(x, axis=-1):
    return right(x, axis) if any(np.array_equal(x, known) for known in KNOWN) else wrong(x, axis)
