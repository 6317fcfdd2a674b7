"""Answers with a text of 100 MB.

Expected: failed
"""


def softmax(x, axis=-1):
    return "x" * (100 << 20)
