"""Points for one exercise inside a running notebook: the hidden part of the `grade-<id>` cells calls `score`.

This serves courses that keep nbgrader's stock Execute. The grader and its jail are the ordinary ones, and a right notebook gets
the points that it gets elsewhere; but the cell runs in the kernel that the student's code ran in, so that whoever wants to can
change what it prints. Points that student code cannot touch come from `autograder grade`, and from `nbgrader autograde` with
the configuration of `autograder.gradebook`, whose reports and scores go through `in_words` and `clipped` too.
"""

from __future__ import annotations

import atexit
import logging
import os
import secrets
import sys
import unicodedata
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.course import COURSE, find
from autograder.language import language, say, speaking
from autograder.limits import DEFAULT
from autograder.reports.model import ExerciseReport, TestResult
from autograder.submissions import Candidate, Cell, Submission, Unreadable, open_submission
from autograder.submissions.magics import without_magics
from autograder.submissions.notebooks import defines
from autograder.text import cut, visible

if TYPE_CHECKING:
    from autograder.grading.grader import Grader

WIDEST = 100  # columns of a report in a cell


class NoNotebook(RuntimeError):
    """`score` was called where no notebook runs."""


def score(exercise_id: str, lang: str | None = None) -> float:
    """Grade one exercise on the cells run so far, print what was found, and return the points.

    nbgrader takes the returned number, the cell's last expression, as the cell's score.
    lang: of what is printed, "en" or "zh"; None is AUTOGRADER_LANG's.
    Raises: NoNotebook outside IPython; KeyError where there is no such exercise.
    """
    find(exercise_id)
    with _undisturbed():
        report = grade_cells(cells_run_so_far(), exercise_id, lang)
    with speaking(lang or language()):
        print(in_words(report))
    return clipped(report.score, report.max_score)


def clipped(score: float, points: float) -> float:
    """A score as nbgrader accepts it, without the last digits of a sum: it raises an exception for one above the points of the cell."""
    return min(max(round(float(score), 6), 0.0), float(points))


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Grading as in a process of its own: for a cell that writes to stderr nbgrader gives no points, and the notebook may have told
    NumPy or `warnings` to raise, or a logger to tell everything."""
    import numpy as np

    kept, disabled = os.dup(2), logging.root.manager.disable
    try:
        with open(os.devnull, "w") as nowhere, redirect_stderr(nowhere), warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            logging.disable(logging.CRITICAL)
            os.dup2(nowhere.fileno(), 2)
            yield
    finally:
        logging.disable(disabled)
        os.dup2(kept, 2)
        os.close(kept)


def grade_cells(cells: Sequence[Cell], exercise_id: str, lang: str | None = None) -> ExerciseReport:
    """Grade these cells as a notebook that was handed in, on one exercise, by the ordinary grader and in a jail."""
    submission = Submission("notebook", files_beside(), cells=tuple(cells))
    report = _grader().grade(submission, secrets.randbelow(2**31), exercises=[exercise_id], lang=lang)
    return report.exercises[0]


def files_beside() -> dict[str, bytes]:
    """What lies beside the notebook: modules that were handed in with it, and what they and the cells import of the student's own."""
    try:
        return dict(open_submission(Candidate("notebook", Path.cwd(), 0.0), DEFAULT).files)
    except Unreadable:  # of no use to the grader, and no reason to give no points to the cells
        return {}


@cache
def _grader() -> Grader:
    """One grader for all cells of the kernel."""
    from autograder.grading.grader import Grader  # only here, where a warning that an import gives costs no points
    from autograder.jail import choose

    grader = Grader(choose("auto"), DEFAULT)
    atexit.register(grader.close)
    return grader


def cells_run_so_far() -> tuple[Cell, ...]:
    """The cells of the running notebook in the order in which they ran, without the one that is running now.

    IPython keeps sources and no grade_ids; a cell that defines an entry point gets its exercise's. Of several such
    cells the last one counts, as it does for the names themselves.
    """
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None:
        raise NoNotebook("score() grades the cells of a running notebook; to grade files use `autograder grade`")
    as_typed: Sequence[str] = shell.history_manager.input_hist_raw[1:-1]  # the first is a dummy, the last is running now
    return labelled([source for source in as_typed if source.strip()])


def labelled(sources: Sequence[str]) -> tuple[Cell, ...]:
    """Cells without their magics, with the grade_id that their definitions tell."""
    plain = [without_magics(source)[0] for source in sources]
    last = {exercise.id: i for exercise in COURSE for i, source in enumerate(plain) if defines(source, exercise)}
    ids = {i: exercise_id for exercise_id, i in last.items()}
    return tuple(Cell(source, grade_id=ids.get(i, "")) for i, source in enumerate(plain))


def in_words(report: ExerciseReport) -> str:
    """The report of one exercise as a student may read it. What all its tests say alike, as of an unwritten stub, is said once."""
    lines = [report.title + say(": ", "：") + f"{report.score:g} / {report.max_score:g}"]
    alike = len(report.tests) > 1 and len({test.feedback for test in report.tests}) == 1
    if alike:
        lines += _indented(report.tests[0], 2)
    for test in report.tests:
        lines.append(f"  {test.earned:g} / {test.points:g}  {test.title}")
        lines += [] if alike else _indented(test, 6)
    return "\n".join(lines)


def _indented(test: TestResult, blanks: int) -> list[str]:
    lines = [part for line in cut(test.feedback).splitlines() for part in wrapped(visible(line), WIDEST - blanks)]
    return [" " * blanks + line for line in lines]


def wrapped(line: str, width: int) -> list[str]:
    """The line in pieces of at most so many columns, of which a wide character takes two: pages show printed text as it is.

    It is broken at a blank where there is one in the second half of a piece; Chinese has none.
    """
    pieces = []
    while (end := _fitting(line, width)) < len(line):
        blank = line.rfind(" ", end // 2, end + 1)
        pieces.append(line[: blank if blank > 0 else end].rstrip())
        line = line[blank + 1 if blank > 0 else end :]
    return [*pieces, line]


def _fitting(line: str, width: int) -> int:
    """How many characters of the line fit."""
    for i, character in enumerate(line):
        width -= 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if width < 0:
            return i
    return len(line)
