"""Answers with a generator that never ends.

Expected: failed
"""

import itertools


def softmax(x, axis=-1):
    return itertools.count()
