"""The same answer once more, a little later.

Expected: failed or crashed
"""

import threading

from attack_kit import body, frame, reply, send, wrong


def softmax(x, axis=-1):
    threading.Timer(0.01, send, [frame(body(reply("ok", 1.0, False)))]).start()
    return wrong(x, axis)
