"""An answer without a value.

Expected: crashed
"""

from attack_kit import body, frame, reply, send, wrong


def softmax(x, axis=-1):
    send(frame(body(reply("ok"))))
    return wrong(x, axis)
