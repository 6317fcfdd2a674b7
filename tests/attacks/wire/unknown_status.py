"""A status that there is none of.

Expected: crashed
"""

from attack_kit import body, frame, reply, send, wrong


def softmax(x, axis=-1):
    send(frame(body(reply("passed", 1.0, False))))
    return wrong(x, axis)
