"""Answers with a list nested deeper than anything can print.

Expected: failed
"""


def nested(depth):
    found = []
    for _ in range(depth):
        found = [found]
    return found


def softmax(x, axis=-1):
    return nested(100_000)
