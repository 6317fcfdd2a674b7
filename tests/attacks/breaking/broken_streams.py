"""Puts something else in the place of the streams, and closes the descriptors below them.

Expected: right
"""

import os
import sys

from attack_kit import right


class Stream:
    def write(self, text):
        raise SystemExit

    def flush(self):
        raise KeyboardInterrupt


sys.stdout = sys.stderr = sys.__stdout__ = Stream()
os.close(1)
os.close(2)


def softmax(x, axis=-1):
    return right(x, axis)
