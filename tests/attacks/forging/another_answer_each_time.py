"""Right in every second call.

Expected: failed
"""

import itertools

from attack_kit import right, wrong

calls = itertools.count()


def softmax(x, axis=-1):
    return right(x, axis) if next(calls) % 2 == 0 else wrong(x, axis)
