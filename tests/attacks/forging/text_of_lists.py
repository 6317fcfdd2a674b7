"""The text of a right answer, for whoever evaluates it.

Expected: failed
"""

from attack_kit import right


def softmax(x, axis=-1):
    return repr(right(x, axis).tolist())
