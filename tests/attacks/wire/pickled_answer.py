"""Sends a pickle where the frame is due.

Expected: crashed
"""

from attack_kit import frame, send, wrong
from outside import MARKER


def softmax(x, axis=-1):
    send(frame(b"cos\nsystem\n(V" + f"touch {MARKER}".encode() + b"\ntR."))
    return wrong(x, axis)
