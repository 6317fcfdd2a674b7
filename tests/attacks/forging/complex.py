"""Right real parts with imaginary ones.

Expected: failed
"""

from attack_kit import right


def softmax(x, axis=-1):
    return right(x, axis) + 1j
