"""Leaves a daemon behind that holds every descriptor, then ends.

Expected: crashed
"""

import os
import time

from attack_kit import name_process


def softmax(x, axis=-1):
    if os.fork() == 0:
        try:
            os.setsid()
        except OSError:
            pass
        if os.fork() == 0:
            name_process("attack-left")
            time.sleep(600)
        os._exit(0)
    os._exit(0)
