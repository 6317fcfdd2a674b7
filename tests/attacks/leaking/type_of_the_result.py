"""Hidden inputs in the name of the result's type.

Expected: failed
"""

from attack_kit import secret


def softmax(x, axis=-1):
    return type(secret(x), (), {})()
