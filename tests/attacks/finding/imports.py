"""Imports the grader, the solutions and the hidden tests, by name and by file, also where they are installed beside NumPy.

Expected: right
"""

import glob
import importlib
import os
import runpy
import sys

from attack_kit import attempt, check, right
from outside import PATHS

NAMES = ["autograder", "autograder.hidden", "autograder.hidden.test_softmax", "autograder.inside.worker", "autograder.misconceptions"]
NAMES += ["solutions", "solutions.softmax", "pytest", "_pytest", "nbgrader", "msgpack", "jinja2", "rich"]
for name in NAMES:
    attempt(f"import {name}", lambda: importlib.import_module(name))
for path in filter(lambda path: path.endswith(".py"), PATHS):
    attempt(f"run {path}", lambda: runpy.run_path(path))
folders = {*sys.path, os.path.dirname(os.path.dirname(importlib.import_module("numpy").__file__)), "/packages", "/kit"}
found = [
    path
    for folder in folders
    for path in glob.glob(f"{folder}/*")
    if os.path.basename(path).startswith(("autograder", "solutions", "pytest"))
]
check("packages of the grader's beside NumPy", found)


def softmax(x, axis=-1):
    return right(x, axis)
