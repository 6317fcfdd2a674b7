"""The code of one submission, by exercise, and the code that proves nothing because the kit hands it out. classwide.py asks."""

from __future__ import annotations

from functools import cache
from importlib.resources import files as resources

import numpy as np

from autograder.content.layout import Layout, Misplaced
from autograder.course import COURSE
from autograder.limits import DEFAULT
from autograder.similarity.fingerprints import NONE, Prints, runs
from autograder.submissions import Cell, Submission
from autograder.submissions.kinds import EXERCISES, is_python
from autograder.submissions.notebooks import defines, read_notebook

OWN = ""  # code of the student's own that belongs to no exercise
_MODULES = {f"{EXERCISES}/{exercise.module}.py": exercise.id for exercise in COURSE}
_IDS = frozenset(_MODULES.values())


def code_by_exercise(submission: Submission, most: int) -> dict[str, list[str]]:
    """Exercise id, or OWN -> its texts. `most`: characters in all; what is beyond is not looked at."""
    texts: dict[str, list[str]] = {}
    left = most

    def add(exercise: str, text: str) -> None:
        nonlocal left
        if text := text[:left]:
            texts.setdefault(exercise, []).append(text)
            left -= len(text)

    # The exercises first, so that other files cannot push them out.
    for path in sorted(submission.files, key=lambda path: (path not in _MODULES, path)):
        if is_python(path.rpartition("/")[2]):
            add(_MODULES.get(path, OWN), submission.files[path][: 4 * most].decode("utf-8", "replace"))
    for cell in submission.cells:
        exercise = _exercise_of(cell)
        # A cell that is no solution may be one of the lesson's own; those can be discounted only where the lesson is at hand.
        if not cell.locked and (exercise or lesson() is not None):
            add(exercise, cell.source)
    return texts


def _exercise_of(cell: Cell) -> str:
    if cell.grade_id in _IDS:
        return cell.grade_id
    defined = [exercise.id for exercise in COURSE if defines(cell.source, exercise)]
    return defined[0] if len(defined) == 1 else OWN


@cache
def lesson() -> tuple[str, ...] | None:
    """The code cells of the notebooks that students get; None where this installation has no notebooks."""
    try:
        notebooks = Layout().notebooks()
    except Misplaced:
        return None
    return tuple(cell.source for book in notebooks for cell in read_notebook(book.path.read_bytes(), DEFAULT).cells)


@cache
def handed_out() -> Prints:
    """The runs of all code that proves nothing where two students share it, sorted.

    That is what the kit hands out: stubs, provided files, the lesson's cells. And the reference solutions: what a student writes
    as the reference does is what the exercise asks for.
    """
    texts = [*(lesson() or ())]
    for package in (EXERCISES, "solutions"):
        texts += [file.read_text("utf-8") for file in resources(package).iterdir() if file.name.endswith(".py")]
    return np.unique(np.concatenate([NONE, *map(runs, texts)]))
