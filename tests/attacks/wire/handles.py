"""Answers with objects and functions of the grader's.

Expected: failed or crashed
"""

from attack_kit import WIRE, body, frame, reply, send, wrong


def softmax(x, axis=-1):
    send(frame(body(reply("ok", [WIRE.Handle(0), WIRE.FunctionRef(0), WIRE.Handle(2**32 - 1)], False))))
    return wrong(x, axis)
