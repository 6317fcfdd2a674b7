"""Looks for what an earlier submission left.

Expected: right
"""

import os

from attack_kit import check, right

FOLDERS = (".", os.environ["HOME"], "/tmp", "/var/tmp", "/dev/shm", "/scratch", "/dev/mqueue", "/run", "/run/lock")
found = [os.path.join(folder, name) for folder in FOLDERS for name in ("attack-left-here", ".attack-left-here")]
check("files of another submission", [path for path in found if os.path.exists(path)])
check("anything in the scratch folder", os.listdir("."))


def softmax(x, axis=-1):
    return right(x, axis)
