"""Recurses without the interpreter's limit until the stack is used up.

Expected: crashed or failed or timeout
"""

import sys

sys.setrecursionlimit(10**9)


def softmax(x, axis=-1):
    return eval(repr(nested(10**6)))


def nested(depth):
    found = []
    for _ in range(depth):
        found = [found]
    return found
