"""A syntax error that names a notebook's cell.

Expected: failed
"""

from attack_kit import secret


def softmax(x, axis=-1):
    raise SyntaxError(secret(x), ("<cell 0>", 1, 1, secret(x)))
