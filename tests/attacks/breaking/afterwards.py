"""Leaves work for later: at exit, when an object is let go, in threads.

Expected: right
"""

import atexit
import os
import threading
import time

from attack_kit import right


class Last:
    def __del__(self):
        os._exit(3)


def later():
    while True:
        time.sleep(0.01)
        [0] * 1000


kept = Last()
atexit.register(lambda: os._exit(4))
threading.Thread(target=later, daemon=True).start()
threading.Thread(target=later).start()


def softmax(x, axis=-1):
    return right(x, axis)
