"""Fills memory with a list of growing lists.

Expected: failed or crashed or timeout
"""


def softmax(x, axis=-1):
    kept = []
    while True:
        kept.append([len(kept)] * 100_000)
