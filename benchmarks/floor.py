"""The floor: a fresh interpreter for each submission that imports NumPy and its modules and makes the calls of the hidden tests.

No test, no jail, no comparison, no report: what any grader pays that runs each submission in a process of its own.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from autograder.content.layout import Layout
from benchmarks.throughput import make_class
from benchmarks.timing import Timing, run_together


def hand_in(folder: Path, students: int) -> None:
    """A class of modules, each with the module that the kit provides, as an importable package."""
    make_class(folder, students, as_written=False)
    for student in folder.iterdir():
        shutil.copy(Layout().exercises / "lstm.py", student / "exercises")
        (student / "exercises" / "__init__.py").touch()


def make_calls(submissions: Path, calls: Path, exercises: Sequence[str], jobs: int) -> Timing:
    """Make the calls with every submission. calls: the folder with calls.py and calls.pickle."""
    command = [sys.executable, str(calls / "calls.py"), str(calls / "calls.pickle")]
    return together([[*command, str(student), *exercises] for student in sorted(submissions.iterdir())], jobs)


def import_numpy(times: int, jobs: int) -> Timing:
    """Start an interpreter and import NumPy, so many times."""
    return together([[sys.executable, "-c", "import numpy"]] * times, jobs)


def together(commands: Sequence[Sequence[str]], jobs: int) -> Timing:
    """Run the commands."""
    return Timing(jobs, *run_together(commands, jobs))
