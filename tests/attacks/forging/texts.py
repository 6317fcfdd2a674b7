"""Right numbers, written as text.

Expected: failed
"""

from attack_kit import right


def softmax(x, axis=-1):
    return right(x, axis).astype(str)
