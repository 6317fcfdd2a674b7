"""Raises KeyboardInterrupt from a timer, wherever the worker is at that time.

Expected: crashed or failed
"""

import signal

from attack_kit import wrong

signal.signal(signal.SIGALRM, signal.default_int_handler)
signal.setitimer(signal.ITIMER_REAL, 0.02, 0.002)


def softmax(x, axis=-1):
    return wrong(x, axis)
