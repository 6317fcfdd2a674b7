"""Hidden inputs in the names that its own function has.

Expected: failed
"""

from attack_kit import secret


def softmax(x, axis=-1):
    softmax.__name__ = softmax.__qualname__ = softmax.__module__ = softmax.__doc__ = secret(x)
    raise ValueError
