"""Leaves files wherever it can, for the next submission to find.

Expected: right
"""

import os

from attack_kit import right

for folder in (".", os.environ["HOME"], "/tmp", "/var/tmp", "/dev/shm", "/scratch", "/submission", "/dev/mqueue", "/run", "/run/lock"):
    for name in ("attack-left-here", ".attack-left-here"):
        try:
            with open(os.path.join(folder, name), "x") as file:
                file.write("from an earlier submission")
        except OSError:
            pass
print("HELD for the next one to see")


def softmax(x, axis=-1):
    return right(x, axis)
