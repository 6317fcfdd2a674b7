"""Answers with a list whose iterator never ends; its own content is a right answer.

Expected: right
"""

import itertools

from attack_kit import right


class Endless(list):
    def __iter__(self):
        return itertools.count()

    def __len__(self):
        return 1 << 60


def softmax(x, axis=-1):
    return Endless(right(x, axis).tolist())
