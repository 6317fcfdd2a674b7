"""A hidden input in how long it takes.

Expected: failed
"""

import time

from attack_kit import wrong


def softmax(x, axis=-1):
    time.sleep(abs(float(x.flat[0])) % 1 / 20)
    return wrong(x)
