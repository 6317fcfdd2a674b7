"""Tries all file descriptors: what is open, what can be read from it, what it is a file of.

Expected: right
"""

import os
import stat

from attack_kit import attempt, check, right


def open_ones():
    found = []
    for number in range(1024):
        try:
            found.append((number, stat.S_IFMT(os.fstat(number).st_mode)))
        except OSError:
            continue
    return found


check("descriptors", [number for number, _ in open_ones() if number > 3])
check("kinds", [(number, kind) for number, kind in open_ones() if kind not in (stat.S_IFCHR, stat.S_IFIFO, stat.S_IFSOCK)])
for number in (1, 2):
    attempt(f"read from {number}", lambda: os.read(number, 100))
check("stdin", os.read(0, 100))


def softmax(x, axis=-1):
    return right(x, axis)
