"""Raises what a stub raises.

Expected: todo
"""


def softmax(x, axis=-1):
    raise type("NotImplementedError", (Exception,), {})
