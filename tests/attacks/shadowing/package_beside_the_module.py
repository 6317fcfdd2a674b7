"""Brings a package of the module's name beside it.

Expected: failed or right
"""

from attack_kit import right


def softmax(x, axis=-1):
    return right(x, axis)

# --- file: exercises/softmax/__init__.py ---
def softmax(x, axis=-1):
    return 0.125 + 0 * x
