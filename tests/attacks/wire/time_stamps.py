"""Time stamps, which the format has and the kit has not.

Expected: crashed
"""

from attack_kit import frame, request, send, wrong


def softmax(x, axis=-1):
    send(frame(b"\x94\xa2ok" + bytes([request()]) + b"\xd6\xff\x00\x00\x00\x01\xc2"))
    return wrong(x, axis)
