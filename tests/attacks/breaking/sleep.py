"""Sleeps.

Expected: timeout
"""

import time


def softmax(x, axis=-1):
    time.sleep(10_000)
