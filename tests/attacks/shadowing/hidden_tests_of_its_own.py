"""Brings hidden tests, a grader and solutions of its own.

Expected: right
"""

from attack_kit import right


def softmax(x, axis=-1):
    return right(x, axis)

# --- file: autograder/__init__.py ---
import marker

# --- file: autograder/hidden/test_softmax.py ---
import marker


def test_everything(student):
    pass

# --- file: autograder/grading/__init__.py ---
import marker

# --- file: solutions/__init__.py ---
import marker

# --- file: solutions/softmax.py ---
import marker


def softmax(x, axis=-1):
    return x

# --- file: exercises/tests/test_softmax.py ---
import marker


def test_nothing():
    pass

# --- file: marker.py ---
"Leaves a file outside, for whoever runs this where it may: the grader."

import os
import runpy

here = os.path.dirname(os.path.abspath(__file__))
for path in (f"{here}/outside.py", f"{here}/exercises/outside.py"):
    try:
        open(runpy.run_path(path)["MARKER"], "x").close()
    except Exception:
        pass

# --- file: exercises/marker.py ---
"Leaves a file outside, for whoever runs this where it may: the grader."

import os
import runpy

here = os.path.dirname(os.path.abspath(__file__))
for path in (f"{here}/outside.py", f"{here}/exercises/outside.py"):
    try:
        open(runpy.run_path(path)["MARKER"], "x").close()
    except Exception:
        pass
