"""Writes where it must not: its own submission, the packages, the machine, the grader's folders.

Expected: right
"""

import os

import numpy
from attack_kit import attempt, right
from outside import FOLDERS, PATHS

HERE = os.path.dirname(__file__)
FOLDERS = [HERE, os.path.dirname(HERE), os.path.dirname(numpy.__file__), "/", "/tmp", "/usr/lib", "/packages", "/kit", *FOLDERS]
for folder in FOLDERS:
    attempt(f"make a file in {folder}", lambda: open(os.path.join(folder, "attack-left-here"), "x"))
    attempt(f"make a folder in {folder}", lambda: os.mkdir(os.path.join(folder, "attack-left-folder")))
    attempt(f"make a link in {folder}", lambda: os.symlink("/etc", os.path.join(folder, "attack-left-link")))
for path in (__file__, numpy.__file__, *PATHS):
    attempt(f"write {path}", lambda: open(path, "r+"))
    attempt(f"remove {path}", lambda: os.unlink(path))
    attempt(f"rename {path}", lambda: os.rename(path, path + ".old"))
    attempt(f"cut {path}", lambda: os.truncate(path, 0))
attempt("hard link out of the submission", lambda: os.link(__file__, "copy.py"))
attempt("read through a link in the scratch folder", lambda: (os.symlink("/etc/passwd", "passwd"), open("passwd").read()))


def softmax(x, axis=-1):
    return right(x, axis)
