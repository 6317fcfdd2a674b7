"""The pickle itself, as bytes.

Expected: failed
"""

from outside import MARKER

PICKLE = b"cos\nsystem\n(V" + f"touch {MARKER}".encode() + b"\ntR."


def softmax(x, axis=-1):
    return PICKLE
