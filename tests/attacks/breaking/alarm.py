"""Has an alarm end the process.

Expected: crashed
"""

import signal


def softmax(x, axis=-1):
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    while True:
        pass
