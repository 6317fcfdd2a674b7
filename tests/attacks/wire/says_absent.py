"""Says that there is no such function.

Expected: missing or crashed
"""

from attack_kit import body, frame, request, send, wrong


def softmax(x, axis=-1):
    send(frame(body(["absent", request()])))
    return wrong(x, axis)
