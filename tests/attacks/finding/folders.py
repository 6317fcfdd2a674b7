"""Lists folders: the home folders, the grader's, other submissions', temporary ones.

Expected: right
"""

import os

from attack_kit import attempt, right
from outside import FOLDERS


def names(path):
    found = os.listdir(path)
    if not found:
        raise FileNotFoundError("an empty folder, which shows nothing")
    return found


for path in ["/root", "/home", "/etc", "/tmp", "/var", "/var/tmp", "/proc", "/sys", "/srv", "/mnt", "/opt", "/usr/share", "/kit", *FOLDERS]:
    attempt(f"list {path}", lambda: names(path))


def softmax(x, axis=-1):
    return right(x, axis)
