"""Keeps the arrays that it returned, and spoils them when they are gone.

Expected: right
"""

import threading
import time

from attack_kit import right

kept = []


def spoil():
    while True:
        time.sleep(0.001)
        while kept:
            time.sleep(0.002)
            kept.pop()[...] = 7.0


threading.Thread(target=spoil, daemon=True).start()


def softmax(x, axis=-1):
    answer = right(x, axis).copy()
    kept.append(answer.copy())
    return answer
