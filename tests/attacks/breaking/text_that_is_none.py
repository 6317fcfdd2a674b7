"""Answers with a text that has no UTF-8.

Expected: failed
"""


def softmax(x, axis=-1):
    return "\udcff" * len(x)
