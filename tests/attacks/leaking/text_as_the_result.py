"""Hidden inputs as a text.

Expected: failed
"""

from attack_kit import secret


def softmax(x, axis=-1):
    return secret(x)
