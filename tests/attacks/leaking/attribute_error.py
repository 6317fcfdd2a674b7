"""Hidden inputs as the attribute that is missing.

Expected: failed
"""

from attack_kit import secret


def softmax(x, axis=-1):
    getattr(x, secret(x))
