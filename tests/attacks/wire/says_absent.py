"""Says that there is no such function.

Expected: missing or crashed
"""

from attack_kit import body, frame, reply, send, wrong


def softmax(x, axis=-1):
    send(frame(body(reply("absent"))))
    return wrong(x, axis)
