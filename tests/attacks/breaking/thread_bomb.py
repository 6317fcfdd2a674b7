"""Starts threads until it cannot; they wait.

Expected: right
"""

import threading

from attack_kit import right

threading.stack_size(64 << 10)
gate = threading.Event()
try:
    while True:
        threading.Thread(target=gate.wait, daemon=True).start()
except (RuntimeError, MemoryError):
    pass


def softmax(x, axis=-1):
    return right(x, axis)
