"""Raises an exception whose class lies about its name, its bases and itself.

Expected: failed
"""


class Liar(type):
    @property
    def __name__(cls):
        raise SystemExit

    @property
    def __mro__(cls):
        raise SystemExit

    def __instancecheck__(cls, thing):
        return True

    def __getattribute__(cls, name):
        raise KeyboardInterrupt


class Mine(Exception, metaclass=Liar):
    pass


def softmax(x, axis=-1):
    raise Mine
