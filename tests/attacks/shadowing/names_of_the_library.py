"""Brings modules with the names of those that the grader and its processes import.

Expected: right
"""

from attack_kit import right


def softmax(x, axis=-1):
    return right(x, axis)

# --- file: socket.py ---
import marker
raise ImportError

# --- file: pickle.py ---
import marker
raise ImportError

# --- file: struct.py ---
import marker
raise ImportError

# --- file: threading.py ---
import marker
raise ImportError

# --- file: selectors.py ---
import marker
raise ImportError

# --- file: multiprocessing.py ---
import marker
raise ImportError

# --- file: json.py ---
import marker
raise ImportError

# --- file: re.py ---
import marker
raise ImportError

# --- file: copy.py ---
import marker
raise ImportError

# --- file: ast.py ---
import marker
raise ImportError

# --- file: logging.py ---
import marker
raise ImportError

# --- file: tempfile.py ---
import marker
raise ImportError

# --- file: subprocess.py ---
import marker
raise ImportError

# --- file: pathlib.py ---
import marker
raise ImportError

# --- file: typing.py ---
import marker
raise ImportError

# --- file: dataclasses.py ---
import marker
raise ImportError

# --- file: enum.py ---
import marker
raise ImportError

# --- file: collections.py ---
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
