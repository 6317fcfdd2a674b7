"""An object that runs a command where it is unpickled, bare and inside of an array.

Expected: failed
"""

import os

import numpy as np
from outside import MARKER


class Command:
    def __reduce__(self):
        return os.system, (f"touch {MARKER}",)


def softmax(x, axis=-1):
    return np.array([Command()] * len(x), dtype=object)
