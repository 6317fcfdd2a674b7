"""Stops itself, as Ctrl-Z does.

Expected: timeout
"""

import os
import signal


def softmax(x, axis=-1):
    os.kill(os.getpid(), signal.SIGSTOP)
