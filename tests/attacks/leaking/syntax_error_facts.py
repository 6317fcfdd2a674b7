"""Hidden inputs in all the facts of a syntax error.

Expected: failed
"""

from attack_kit import secret


def softmax(x, axis=-1):
    raise SyntaxError(secret(x), (secret(x), 10**6, 7, secret(x), 10**6, 8))
