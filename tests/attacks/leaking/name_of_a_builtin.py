"""Hidden inputs in a class that has the name of a builtin, its module and its qualified name.

Expected: failed
"""

from attack_kit import secret


def softmax(x, axis=-1):
    raise type("ValueError", (Exception,), {"__module__": secret(x), "__qualname__": secret(x), "__doc__": secret(x)})(secret(x))
