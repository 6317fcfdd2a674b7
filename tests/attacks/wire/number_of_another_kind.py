"""An answer whose number is text, a float, a list.

Expected: crashed
"""

from attack_kit import body, frame, request, send, wrong


def softmax(x, axis=-1):
    send(frame(body(["replies", [str(request()), float(request()), [request()]][len(x) % 3], [body(["ok", 1.0, False])]])))
    return wrong(x, axis)
