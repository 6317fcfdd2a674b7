"""Answers with an integer of a hundred thousand digits.

Expected: failed
"""


def softmax(x, axis=-1):
    return 10**100_000
