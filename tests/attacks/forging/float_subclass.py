"""Numbers of a class of its own that is equal to everything.

Expected: failed
"""


class Number(float):
    def __eq__(self, other):
        return True

    def __sub__(self, other):
        return Number(0.0)

    def __float__(self):
        return 0.5

    __rsub__, __abs__, __le__ = __sub__, __float__, __eq__


def softmax(x, axis=-1):
    return [Number(0.5) for _ in range(len(x))]
