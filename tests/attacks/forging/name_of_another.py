"""Raises exceptions that have the names of others.

Expected: failed
"""


def softmax(x, axis=-1):
    raise type("PassedError", (Exception,), {})
