"""NotImplemented and Ellipsis.

Expected: failed
"""


def softmax(x, axis=-1):
    return NotImplemented
