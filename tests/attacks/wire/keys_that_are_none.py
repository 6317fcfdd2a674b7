"""A dictionary with keys that cannot be any.

Expected: crashed
"""

from attack_kit import frame, send, wrong


def softmax(x, axis=-1):
    send(frame(b"\x81\x91\x01\x01"))
    return wrong(x, axis)
