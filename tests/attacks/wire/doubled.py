"""A forged answer before the real one.

Expected: failed or crashed
"""

from attack_kit import body, frame, reply, send, wrong


def softmax(x, axis=-1):
    send(frame(body(reply("ok", wrong(x), False))))
    return wrong(x, axis)
