"""Takes exercises/ along when nbgrader makes a release, so that no second copy of it lies in source/, and leaves out of the notebook
the sections of exercises that were taken out of COURSE.

`configure` of autograder.gradebook puts `IncludeExercises` before GenerateAssignment's preprocessors. A preprocessor, and not nbgrader's
post_convert_hook: a hook that fails is logged at level INFO and the release goes out without its files.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Unicode

from autograder.content.belonging import files_below, not_for_students
from autograder.content.dropped import dropped, without
from autograder.content.generated import stale_faults
from autograder.content.layout import Layout
from autograder.content.notebooks import grade_id_of
from autograder.course import COURSE


class OutOfDate(Exception):
    """exercises/ or a notebook is not what a build would write; the text names the files and the way out."""


class IncludeExercises(NbGraderPreprocessor):
    """Adds exercises/ and what all assignments share to what nbconvert's writer puts beside the notebook; takes sections out of that.

    First of all, since SaveCells enters into the gradebook what the notebook holds.
    """

    root = Unicode(help="The repository; empty means the one that the autograder package lies in.").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        if not is_the_kits(nb):
            return nb, resources
        layout = Layout(Path(self.root)) if self.root else Layout()
        faults = stale_faults(layout)
        if faults:
            raise OutOfDate("\n".join(map(str, faults)))
        resources.setdefault("outputs", {}).update(student_files(layout))
        nb.cells = without(nb.cells, dropped(layout))
        return nb, resources


def is_the_kits(nb: NotebookNode) -> bool:
    """Whether a notebook gives points for an exercise of this course; a course folder may hold other assignments beside."""
    ids = {grade_id_of(cell) for cell in nb.cells}
    return any(f"grade-{exercise.id}" in ids for exercise in COURSE)


def student_files(layout: Layout) -> dict[str, bytes]:
    """What lies beside the notebook of every assignment: path within the release -> content.

    That is exercises/, without strays and what was taken out, and the files in source/ itself, which its assignments share.
    """
    left_out = set(not_for_students(layout))
    files = {layout.name(path): path.read_bytes() for path in files_below(layout, "exercises") if path not in left_out}
    shared = {path.name: path.read_bytes() for path in files_below(layout, "source") if path.parent == layout.source}
    return {**files, **shared}
