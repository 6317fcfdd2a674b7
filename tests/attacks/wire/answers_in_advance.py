"""Many answers to all requests to come, from a thread.

Expected: failed or crashed
"""

import threading

from attack_kit import body, frame, send, wrong


def softmax(x, axis=-1):
    threading.Thread(target=lambda: [send(frame(body(["replies", number, [body(["ok", 1.0, False])]]))) for number in range(2, 200)], daemon=True).start()
    return wrong(x, axis)
