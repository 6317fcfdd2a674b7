"""Raises a syntax error with facts of its own.

Expected: failed
"""


def softmax(x, axis=-1):
    raise SyntaxError("message", ("/etc/passwd", 1, 1, "text"))
