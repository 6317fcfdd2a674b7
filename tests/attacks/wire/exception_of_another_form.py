"""Says that something was raised, with facts of the wrong types.

Expected: crashed
"""

from attack_kit import body, frame, request, send, wrong


def softmax(x, axis=-1):
    send(frame(body(["raised", request(), {"a": 1}, 7, None, "line"])))
    return wrong(x, axis)
