"""Hidden inputs in the names of a function and of its parameters.

Expected: failed
"""

from attack_kit import MARK


def name(x):
    return MARK + "_" + "".join(c if c.isalnum() else "_" for c in repr(x))[:200]


def softmax(x, axis=-1):
    namespace = {}
    exec(f"def {name(x)}({name(x)}):\n    1 / 0\n", namespace)
    namespace[name(x)](1)
