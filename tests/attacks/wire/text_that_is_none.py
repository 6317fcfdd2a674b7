"""Text that is no UTF-8.

Expected: crashed
"""

from attack_kit import body, frame, replies, send, wrong


def softmax(x, axis=-1):
    send(frame(body(replies(b"\x93\xa2ok\xa4\xff\xfe\xc0\x80\xc2"))))
    return wrong(x, axis)
