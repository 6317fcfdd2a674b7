"""How long a student waits for the self-check: `pytest` in an unpacked release, and what importing NumPy and pytest takes by itself."""

from __future__ import annotations

import os
import sys
import zipfile
from pathlib import Path

from autograder.content.layout import Layout
from autograder.content.proof import solution_files
from benchmarks.timing import run

ASSIGNMENT = "attention"


def unpack(folder: Path) -> tuple[Path, Path]:
    """Two unpacked releases: with everything done, and as students get it."""
    run([sys.executable, "-m", "autograder", "release", "--out", str(folder / "release")])
    for name in ("done", "stubs"):
        with zipfile.ZipFile(folder / "release" / f"{ASSIGNMENT}.zip") as archive:
            archive.extractall(folder / name)
    done = folder / "done" / ASSIGNMENT
    for path, text in solution_files(Layout()).items():
        (done / path).write_bytes(text)
    return done, folder / "stubs" / ASSIGNMENT


def check(folder: Path, *tests: str) -> float:
    """Seconds of pytest, with no plugins but its own, as where NumPy and pytest are all that is installed."""
    return run([sys.executable, "-m", "pytest", "-q", *tests], folder=folder, env=variables())


def import_both(folder: Path) -> float:
    """Seconds of an interpreter that imports NumPy and pytest."""
    return run([sys.executable, "-c", "import numpy, pytest"], folder=folder, env=variables())


def variables() -> dict[str, str]:
    """The environment of a student's shell."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTEST_ADDOPTS")}
    return {**kept, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
