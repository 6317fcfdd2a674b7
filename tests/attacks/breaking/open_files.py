"""Keeps every file descriptor that it can get.

Expected: right
"""

import os

from attack_kit import right

kept = []
try:
    while True:
        kept.append(os.open("/dev/null", os.O_RDONLY))
except OSError:
    pass


def softmax(x, axis=-1):
    return right(x, axis)
