"""An answer to the request after this one.

Expected: crashed
"""

from attack_kit import body, frame, request, right, send


def softmax(x, axis=-1):
    send(frame(body(["replies", request() + 1, [body(["ok", right(x, axis), False])]])))
    return right(x, axis)
