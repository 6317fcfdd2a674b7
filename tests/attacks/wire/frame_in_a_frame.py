"""An answer that holds the next one.

Expected: crashed
"""

from attack_kit import body, frame, reply, send, wrong


def softmax(x, axis=-1):
    send(frame(frame(body(reply("ok", 1.0, False)))))
    return wrong(x, axis)
