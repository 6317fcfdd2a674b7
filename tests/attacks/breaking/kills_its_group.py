"""Kills its whole process group.

Expected: crashed
"""

import os
import signal


def softmax(x, axis=-1):
    os.killpg(0, signal.SIGKILL)
