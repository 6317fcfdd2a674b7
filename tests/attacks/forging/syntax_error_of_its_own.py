"""Raises a syntax error whose facts are no plain data.

Expected: failed
"""


class Name(str):
    def startswith(self, *args):
        raise SystemExit

    def __int__(self):
        raise SystemExit


def softmax(x, axis=-1):
    raise SyntaxError("message", (Name("x"), Name("y"), 1, "text"))
