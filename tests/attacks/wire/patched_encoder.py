"""Has the worker write another format.

Expected: crashed
"""

from attack_kit import WIRE, wrong


def softmax(x, axis=-1):
    WIRE.encode = lambda value, depth=32: b"\x93\xa2ok\x01\xc3"
    return wrong(x, axis)
