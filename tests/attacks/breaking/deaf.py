"""Ignores every signal that can be ignored, blocks the rest, and loops.

Expected: timeout
"""

import signal

for number in range(1, signal.NSIG):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, signal.NSIG))


def softmax(x, axis=-1):
    while True:
        pass
