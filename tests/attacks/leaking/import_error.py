"""Hidden inputs as the module that is missing.

Expected: failed
"""

from attack_kit import secret


def softmax(x, axis=-1):
    __import__(secret(x))
