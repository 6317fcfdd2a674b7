"""A view of the memory of a right answer.

Expected: failed
"""

from attack_kit import right


def softmax(x, axis=-1):
    return memoryview(right(x, axis))
