"""Hidden inputs in the file name of compiled code.

Expected: failed
"""

from attack_kit import secret


def softmax(x, axis=-1):
    exec(compile("1 / 0", secret(x), "exec"))
