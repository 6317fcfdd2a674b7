"""An extension that there is none of.

Expected: crashed
"""

from attack_kit import frame, send, wrong


def softmax(x, axis=-1):
    send(frame(b"\xd4\x63\x00"))
    return wrong(x, axis)
