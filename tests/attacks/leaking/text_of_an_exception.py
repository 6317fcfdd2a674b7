"""Hidden inputs in the text of an exception.

Expected: failed
"""

from attack_kit import secret


def softmax(x, axis=-1):
    raise ValueError(secret(x), secret(axis))
