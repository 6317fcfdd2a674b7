"""The head of a frame of four gigabytes.

Expected: crashed
"""

from attack_kit import send, wrong


def softmax(x, axis=-1):
    send(b"\xff\xff\xff\xff")
    return wrong(x, axis)
