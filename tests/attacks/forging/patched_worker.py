"""Replaces the methods of the worker, so that every reply says what it wants.

Expected: failed or crashed
"""

from attack_kit import SERVER, wrong

cls = type(SERVER)
cls._call = lambda self, function, args, kwargs: ["ok", True, False]
cls._exception = lambda self, error: ["ok", True, False]


def softmax(x, axis=-1):
    return wrong(x, axis)
