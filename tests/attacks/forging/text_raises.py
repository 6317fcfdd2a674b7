"""Raises an exception whose text raises.

Expected: failed
"""


class Mine(Exception):
    def __str__(self):
        raise Mine

    __repr__ = __str__


def softmax(x, axis=-1):
    raise Mine
