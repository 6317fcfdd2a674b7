"""Warns a hundred thousand times, with right answers.

Expected: right
"""

import warnings

from attack_kit import right

warnings.simplefilter("always")
for _ in range(10_000):
    warnings.warn("this is a warning " * 10, stacklevel=1)


def softmax(x, axis=-1):
    return right(x, axis)
