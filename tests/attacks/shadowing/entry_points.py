"""Brings an installed package whose entry points pytest and others would load.

Expected: right
"""

from attack_kit import right


def softmax(x, axis=-1):
    return right(x, axis)

# --- file: attack-1.0.dist-info/METADATA ---
Metadata-Version: 2.1
Name: attack
Version: 1.0

# --- file: attack-1.0.dist-info/entry_points.txt ---
[pytest11]
attack = marker

[console_scripts]
autograder = marker:main

# --- file: attack-1.0.dist-info/RECORD ---


# --- file: exercises/attack-1.0.dist-info/entry_points.txt ---
[pytest11]
attack = marker

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
