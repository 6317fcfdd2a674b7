"""Closes every descriptor, the connection too.

Expected: crashed
"""

import os


def softmax(x, axis=-1):
    os.closerange(0, 1024)
    return x
