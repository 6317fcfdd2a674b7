"""Answers with a dictionary whose keys are long integers of one hash.

Expected: failed
"""


def softmax(x, axis=-1):
    return {(2**61 - 1) * i: None for i in range(1, 200)}
