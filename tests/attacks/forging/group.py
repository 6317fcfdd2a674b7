"""Raises a group of groups of exceptions.

Expected: failed
"""


def nested(depth):
    group = ExceptionGroup("inner", [ValueError(number) for number in range(100)])
    for _ in range(depth):
        group = ExceptionGroup("outer", [group, SystemExit("x") if depth < 0 else KeyError("x")])
    return group


def softmax(x, axis=-1):
    raise nested(30)
