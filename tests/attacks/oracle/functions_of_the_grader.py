"""Calls functions of the grader by numbers that it was not given.

Exercise: softmax
Expected: failed
"""

from attack_kit import SERVER, WIRE, attempt


def softmax(x, axis=-1):
    for number in (0, 1, 7, 2**32 - 1):
        attempt(f"function {number}", lambda: SERVER.ask(WIRE.FunctionRef(number), (x,), {}))
        attempt(f"object {number}", lambda: SERVER.ask(WIRE.Handle(number), (x,), {}))
    raise LookupError
