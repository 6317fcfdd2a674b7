"""Reads address 0.

Expected: crashed
"""

import ctypes


def softmax(x, axis=-1):
    ctypes.string_at(0)
