"""Maps huge areas of memory and huge holes of files.

Expected: right
"""

import mmap

from attack_kit import attempt, right

attempt("an area", lambda: mmap.mmap(-1, 100 << 30))
with open("hole", "wb") as file:
    attempt("a hole", lambda: (file.truncate(100 << 30), file.flush()))


def softmax(x, axis=-1):
    return right(x, axis)
