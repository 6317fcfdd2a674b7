"""Hidden inputs in the name of an exception's class, and of its bases.

Expected: failed
"""

from attack_kit import secret


def softmax(x, axis=-1):
    raise type(secret(x), (type(secret(axis), (ValueError,), {}),), {})
