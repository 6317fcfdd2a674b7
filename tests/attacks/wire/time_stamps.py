"""Time stamps, which the format has and the kit has not.

Expected: crashed
"""

from attack_kit import body, frame, replies, send, wrong


def softmax(x, axis=-1):
    send(frame(body(replies(b"\x93\xa2ok\xd6\xff\x00\x00\x00\x01\xc2"))))
    return wrong(x, axis)
