"""A class, a module, a function: things that cannot be data.

Expected: failed
"""


def softmax(x, axis=-1):
    return [type, __import__("os"), softmax, lambda: 0, ...]
