"""An answer without a value.

Expected: crashed
"""

from attack_kit import body, frame, request, send, wrong


def softmax(x, axis=-1):
    send(frame(body(["ok", request()])))
    return wrong(x, axis)
