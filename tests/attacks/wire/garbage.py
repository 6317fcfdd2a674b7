"""Bytes that are no frame.

Expected: crashed
"""

from attack_kit import send, wrong


def softmax(x, axis=-1):
    send(b"HTTP/1.1 200 OK\r\n\r\n" * 99)
    return wrong(x, axis)
