"""A frame of length 0.

Expected: crashed
"""

from attack_kit import frame, send, wrong


def softmax(x, axis=-1):
    send(frame(b""))
    return wrong(x, axis)
