"""An answer to a request that nobody made.

Expected: crashed
"""

from attack_kit import body, frame, send, wrong


def softmax(x, axis=-1):
    send(frame(body(["replies", 10**9, [body(["ok", wrong(x), False])]])))
    return wrong(x, axis)
