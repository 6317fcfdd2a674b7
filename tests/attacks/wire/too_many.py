"""An answer with too many parts.

Expected: crashed
"""

from attack_kit import body, frame, reply, send, wrong


def softmax(x, axis=-1):
    send(frame(body(reply("ok", 1.0, False, "and", "more"))))
    return wrong(x, axis)
