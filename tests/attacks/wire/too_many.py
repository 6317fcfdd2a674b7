"""An answer with too many parts.

Expected: crashed
"""

from attack_kit import body, frame, request, send, wrong


def softmax(x, axis=-1):
    send(frame(body(["ok", request(), 1.0, False, "and", "more"])))
    return wrong(x, axis)
