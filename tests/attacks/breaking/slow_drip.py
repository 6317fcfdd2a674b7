"""Sends an answer a byte at a time, always just before the grader would give up.

Expected: timeout
"""

import time

from attack_kit import body, frame, reply, send


def softmax(x, axis=-1):
    for byte in frame(body(reply("ok", [0.0] * 10_000, False))):
        send(bytes([byte]))
        time.sleep(0.05)
