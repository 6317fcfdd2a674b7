"""Recurses for ever.

Expected: failed
"""


def softmax(x, axis=-1):
    return softmax(x, axis)
