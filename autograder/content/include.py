"""Takes exercises/ along when nbgrader makes a release, so that no second copy of it lies in source/.

`nbgrader_config.py` adds `IncludeExercises` to GenerateAssignment's preprocessors. A preprocessor, and not nbgrader's
post_convert_hook: a hook that fails is logged at level INFO and the release goes out without its files.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Unicode

from autograder.content.belonging import strays
from autograder.content.generated import stale_faults
from autograder.content.layout import Layout

LEFT_OUT = {"__pycache__", ".pytest_cache", ".ruff_cache", ".mypy_cache", ".ipynb_checkpoints", ".DS_Store"}


class OutOfDate(Exception):
    """exercises/ or a notebook is not what a build would write; the text names the files and the way out."""


class IncludeExercises(NbGraderPreprocessor):
    """Adds every file of exercises/ to what nbconvert's writer puts beside the notebook."""

    root = Unicode(help="The repository; empty means the one that the autograder package lies in.").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        layout = Layout(Path(self.root)) if self.root else Layout()
        faults = stale_faults(layout)
        if faults:
            raise OutOfDate("\n".join(map(str, faults)))
        resources.setdefault("outputs", {}).update(student_files(layout))
        return nb, resources


def student_files(layout: Layout) -> dict[str, bytes]:
    """exercises/ as a release holds it: path within the release -> content. Caches, dotfiles and strays stay behind."""
    files = {}
    left_out = set(strays(layout))
    for path in sorted(layout.exercises.rglob("*")):
        inside = path.relative_to(layout.root)
        cached = path.suffix == ".pyc" or any(part in LEFT_OUT or part.startswith(".") for part in inside.parts)
        if path.is_file() and not cached and path not in left_out:
            files[inside.as_posix()] = path.read_bytes()
    return files
