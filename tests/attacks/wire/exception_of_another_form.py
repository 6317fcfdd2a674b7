"""Says that something was raised, with facts of the wrong types.

Expected: crashed
"""

from attack_kit import body, frame, reply, send, wrong


def softmax(x, axis=-1):
    send(frame(body(reply("raised", {"a": 1}, 7, None, "line"))))
    return wrong(x, axis)
