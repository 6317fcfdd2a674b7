"""Doubles a string of bytes for ever.

Expected: failed or timeout
"""


def softmax(x, axis=-1):
    held = b"x"
    while True:
        held += held
