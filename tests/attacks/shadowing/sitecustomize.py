"""Brings the modules that an interpreter runs by itself when it starts.

Expected: right
"""

from attack_kit import right


def softmax(x, axis=-1):
    return right(x, axis)

# --- file: sitecustomize.py ---
import marker

# --- file: usercustomize.py ---
import marker

# --- file: exercises/sitecustomize.py ---
import marker

# --- file: attack.pth ---
import marker

# --- file: exercises/attack.pth ---
import marker

# --- file: .pythonrc.py ---
import marker

# --- file: __main__.py ---
import marker

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
