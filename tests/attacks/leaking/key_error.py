"""Hidden inputs as the key that is missing.

Expected: failed
"""

from attack_kit import secret


def softmax(x, axis=-1):
    {}[secret(x)]
