"""Reads requests away, so that the worker never sees them.

Expected: failed or crashed or timeout
"""

import threading
import time

from attack_kit import SERVER, wrong


def steal():
    while True:
        SERVER.connection.recv(1)


threading.Thread(target=steal, daemon=True).start()


def softmax(x, axis=-1):
    time.sleep(0.01)
    return wrong(x, axis)
