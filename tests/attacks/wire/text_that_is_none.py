"""Text that is no UTF-8.

Expected: crashed
"""

from attack_kit import frame, request, send, wrong


def softmax(x, axis=-1):
    send(frame(b"\x94\xa2ok" + bytes([request()]) + b"\xa4\xff\xfe\xc0\x80\xc2"))
    return wrong(x, axis)
