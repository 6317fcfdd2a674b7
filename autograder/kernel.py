"""Points for one exercise inside a running notebook: the hidden part of the `grade-<id>` cells calls `score`.

This serves nbgrader's stock Execute, in the kernel that the student's code ran in. Whoever wants points that student code
cannot touch grades with `autograder grade`, which runs that code in a jail.
"""

from __future__ import annotations

import atexit
import secrets
import sys
from collections.abc import Sequence
from functools import cache

from autograder.course import COURSE, find
from autograder.grading.grader import Grader
from autograder.jail import choose
from autograder.language import language, say, speaking
from autograder.limits import DEFAULT
from autograder.reports.model import ExerciseReport
from autograder.submissions import Cell, Submission
from autograder.submissions.magics import without_magics
from autograder.submissions.notebooks import defines


class NoNotebook(RuntimeError):
    """`score` was called where no notebook runs."""


def score(exercise_id: str, lang: str | None = None) -> float:
    """Grade one exercise on the cells run so far, print what was found, and return the points.

    nbgrader takes the returned number, the cell's last expression, as the cell's score.
    lang: of what is printed, "en" or "zh"; None is AUTOGRADER_LANG's.
    Raises: NoNotebook outside IPython; KeyError where there is no such exercise.
    """
    find(exercise_id)
    report = grade_cells(cells_run_so_far(), exercise_id, lang)
    with speaking(lang or language()):
        print(in_words(report))
    return float(report.score)


def grade_cells(cells: Sequence[Cell], exercise_id: str, lang: str | None = None) -> ExerciseReport:
    """Grade these cells as a notebook that was handed in, on one exercise, by the ordinary grader and in a jail."""
    submission = Submission("notebook", {}, cells=tuple(cells))
    report = _grader().grade(submission, secrets.randbelow(2**31), exercises=[exercise_id], lang=lang)
    return report.exercises[0]


@cache
def _grader() -> Grader:
    """One grader for all cells of the kernel."""
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
    """The report of one exercise as a student may read it."""
    lines = [report.title + say(": ", "：") + f"{report.score:g} / {report.max_score:g}"]
    for test in report.tests:
        lines.append(f"  {test.earned:g} / {test.points:g}  {test.title}")
        lines += [f"      {line}" for line in test.feedback.splitlines()]
    return "\n".join(lines)
