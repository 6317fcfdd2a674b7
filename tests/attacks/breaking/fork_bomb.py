"""Forks until it cannot, and lets all children wait; the answers are right.

Expected: right or crashed or error
"""

import os
import time

from attack_kit import name_process, right

try:
    while True:
        if os.fork() == 0:
            name_process("attack-left")
            time.sleep(600)
            os._exit(0)
except OSError:
    pass


def softmax(x, axis=-1):
    return right(x, axis)
