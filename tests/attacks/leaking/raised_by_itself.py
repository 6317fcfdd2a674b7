"""A reply of its own making that says what was raised, where, and in which line.

Expected: failed or crashed
"""

import os

from attack_kit import body, frame, reply, secret, send


def softmax(x, axis=-1):
    send(frame(body(reply("raised", [secret(x), "ValueError"], secret(x), secret(x), 1))))
    os._exit(0)
