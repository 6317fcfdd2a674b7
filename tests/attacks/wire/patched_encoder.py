"""Has the worker write another format.

Expected: crashed
"""

from attack_kit import WIRE, wrong


def softmax(x, axis=-1):
    WIRE.encode = lambda value, depth=32: b"another format"
    return wrong(x, axis)
