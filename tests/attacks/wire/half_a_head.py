"""Two bytes of a head, then the end of the process.

Expected: crashed
"""

import os

from attack_kit import send, wrong


def softmax(x, axis=-1):
    send(b"\0\0")
    os._exit(0)
    return wrong(x, axis)
