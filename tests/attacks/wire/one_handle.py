"""Answers with one object, where a number is due.

Expected: failed or crashed
"""

from attack_kit import WIRE, body, frame, reply, send, wrong


def softmax(x, axis=-1):
    send(frame(body(reply("ok", WIRE.Handle(7), False))))
    return wrong(x, axis)
