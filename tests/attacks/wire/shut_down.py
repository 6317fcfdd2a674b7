"""Shuts its end of the connection.

Expected: crashed
"""

from attack_kit import SERVER, wrong


def softmax(x, axis=-1):
    SERVER.connection.shutdown(2)
    return wrong(x, axis)
