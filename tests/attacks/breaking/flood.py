"""Prints without end for a while, on both streams, without a line break; the answers are right.

Expected: right
"""

import os

from attack_kit import right

for _ in range(40):
    os.write(1, b"x" * (1 << 20))
    os.write(2, b"y" * (1 << 20))
print("z" * (1 << 20), end="")


def softmax(x, axis=-1):
    return right(x, axis)
