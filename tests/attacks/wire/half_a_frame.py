"""Half a frame, then silence.

Expected: timeout
"""

import time

from attack_kit import body, frame, request, send, wrong


def softmax(x, axis=-1):
    send(frame(body(["ok", request(), 1.0, False]))[:-3])
    time.sleep(1000)
    return wrong(x, axis)
