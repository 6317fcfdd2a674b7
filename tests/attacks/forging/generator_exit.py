"""Raises what no `except Exception` catches.

Expected: failed
"""


def softmax(x, axis=-1):
    raise GeneratorExit
