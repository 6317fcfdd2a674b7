"""Interrupts, as if the instructor had.

Expected: failed
"""


def softmax(x, axis=-1):
    raise KeyboardInterrupt
