"""The head of a frame just above what an answer may have, and all of it.

Expected: crashed
"""

from attack_kit import send, wrong


def softmax(x, axis=-1):
    send(((64 << 20) + 2000).to_bytes(4, "big") + bytes((64 << 20) + 2000))
    return wrong(x, axis)
