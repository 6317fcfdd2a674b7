"""Half a frame, then silence.

Expected: timeout
"""

import time

from attack_kit import body, frame, reply, send, wrong


def softmax(x, axis=-1):
    send(frame(body(reply("ok", 1.0, False)))[:-3])
    time.sleep(1000)
    return wrong(x, axis)
