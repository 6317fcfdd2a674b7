"""One number that broadcasts to every shape.

Expected: failed
"""


def softmax(x, axis=-1):
    return 0.25
