"""Hidden inputs as the keys and values of a dictionary.

Expected: failed
"""

from attack_kit import secret


def softmax(x, axis=-1):
    return {secret(x): x, secret(axis): secret(x)}
