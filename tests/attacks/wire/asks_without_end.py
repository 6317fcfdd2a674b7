"""Asks without waiting for an answer, for ever.

Expected: crashed or timeout
"""

from attack_kit import body, frame, question, send

asked = frame(body(question("softmax.softmax")))


def softmax(x, axis=-1):
    while True:
        send(asked)
    return x
