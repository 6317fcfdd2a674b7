"""Brings modules with the names of the grader's own packages.

Expected: right
"""

from attack_kit import right


def softmax(x, axis=-1):
    return right(x, axis)

# --- file: msgpack.py ---
import marker
raise ImportError

# --- file: pytest.py ---
import marker
raise ImportError

# --- file: _pytest.py ---
import marker
raise ImportError

# --- file: pluggy.py ---
import marker
raise ImportError

# --- file: iniconfig.py ---
import marker
raise ImportError

# --- file: rich.py ---
import marker
raise ImportError

# --- file: jinja2.py ---
import marker
raise ImportError

# --- file: nbgrader.py ---
import marker
raise ImportError

# --- file: nbformat.py ---
import marker
raise ImportError

# --- file: packaging.py ---
import marker
raise ImportError

# --- file: wire.py ---
import marker
raise ImportError

# --- file: worker.py ---
import marker
raise ImportError

# --- file: template.py ---
import marker
raise ImportError

# --- file: confine.py ---
import marker
raise ImportError

# --- file: stand_ins.py ---
import marker
raise ImportError

# --- file: cells.py ---
import marker
raise ImportError

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
