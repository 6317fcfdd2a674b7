"""Asks without waiting for an answer, for ever.

Expected: crashed or timeout
"""

from attack_kit import body, frame, send

question = frame(body(["ask", 1, "softmax.softmax", (), {}]))


def softmax(x, axis=-1):
    while True:
        send(question)
    return x
