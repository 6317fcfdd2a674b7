"""A dictionary in which every key stands twice.

Expected: crashed
"""

from attack_kit import body, frame, replies, send, wrong


def softmax(x, axis=-1):
    send(frame(body(replies(b"\x93\xa2ok\x84" + b"\xa1a\x01" * 4 + b"\xc2"))))
    return wrong(x, axis)
