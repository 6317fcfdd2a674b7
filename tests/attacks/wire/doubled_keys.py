"""A dictionary in which every key stands twice.

Expected: crashed
"""

from attack_kit import frame, send, wrong


def softmax(x, axis=-1):
    send(frame(b"\x93\xa2ok\x01\x84" + b"\xa1a\x01" * 4))
    return wrong(x, axis)
