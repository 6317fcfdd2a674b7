"""Right rows, from a generator.

Expected: failed
"""

from attack_kit import right


def softmax(x, axis=-1):
    return (row for row in right(x, axis))
