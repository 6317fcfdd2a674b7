"""Raises an exception whose text never comes.

Expected: timeout
"""


class Mine(Exception):
    def __str__(self):
        while True:
            pass


def softmax(x, axis=-1):
    raise Mine
