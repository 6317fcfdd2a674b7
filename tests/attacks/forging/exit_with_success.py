"""Leaves with status 0.

Expected: failed
"""


def softmax(x, axis=-1):
    raise SystemExit(0)
