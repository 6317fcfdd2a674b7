"""Deletes its entry point in the first call.

Expected: missing or failed
"""

from attack_kit import wrong


def softmax(x, axis=-1):
    del globals()["softmax"]
    return wrong(x, axis)
