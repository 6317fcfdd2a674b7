"""An answer to a request that nobody made.

Expected: crashed
"""

from attack_kit import body, frame, send, wrong


def softmax(x, axis=-1):
    send(frame(body(["ok", 10**9, wrong(x), False])))
    return wrong(x, axis)
