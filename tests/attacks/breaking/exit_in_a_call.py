"""Ends its process with success in the first call.

Expected: crashed
"""

import os


def softmax(x, axis=-1):
    os._exit(0)
