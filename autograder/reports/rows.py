"""One submission of a class, as little of it as the class pages need: grades.csv, summary.html and the terminal's table.

The batch keeps a `Row` per submission instead of its report. Rows of one class say the same things over and over, so equal
parts are held once and a row costs a few hundred bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from autograder.course import COURSE
from autograder.reports.model import ExerciseReport, Report
from autograder.reports.schema import from_json
from autograder.text import cut, visible

LONGEST_NOTE = 600


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one hidden test went."""

    id: str
    title: str
    status: str
    misconception: str | None = None


@dataclass(frozen=True, slots=True)
class ExerciseRow:
    """How one exercise went."""

    id: str
    status: str
    score: float
    max_score: float
    bonus: bool
    tests: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One submission. All text is escaped already; `folder` is the name of its folder beside summary.html.

    seconds: how long grading took; None where an earlier run graded it.
    """

    student: str
    folder: str
    status: str
    score: float
    max_score: float
    bonus: float
    notes: tuple[str, ...]
    exercises: tuple[ExerciseRow, ...]
    jail: str
    jail_remarks: tuple[str, ...] = ()
    seconds: float | None = None

    @classmethod
    def from_report(cls, report: Report, folder: str = "") -> Row:
        """The row of a report; without a folder the summary links to nothing."""
        return cls(
            student=visible(report.student),
            folder=folder,
            status=report.status,
            score=round(float(report.score), 6),
            max_score=round(float(report.max_score), 6),
            bonus=round(float(report.bonus), 6),
            notes=tuple(cut(" ".join(visible(note, lines=True).split()), LONGEST_NOTE) for note in report.notes),
            exercises=tuple(map(_exercise_row, report.exercises)),
            jail=visible(report.jail),
            jail_remarks=_shared_remarks(tuple(map(visible, report.jail_remarks))),
            seconds=report.seconds or None,
        )

    @classmethod
    def from_json(cls, data: object, folder: str = "") -> Row:
        """The row of a report.json as `json.load` reads it; ValueError where it is not of schema 1."""
        return cls.from_report(from_json(data), folder)


def _exercise_row(exercise: ExerciseReport) -> ExerciseRow:
    tests = tuple(
        _outcome(visible(t.id), visible(t.title), t.status, None if t.misconception is None else visible(t.misconception))
        for t in exercise.tests
    )
    score, max_score = round(float(exercise.score), 6), round(float(exercise.max_score), 6)
    return _shared_exercise(visible(exercise.id), exercise.status, score, max_score, exercise.bonus, tests)


# Bounded, so that a class which agrees on nothing costs memory for itself only.
_outcome = lru_cache(maxsize=4096)(Outcome)
_shared_exercise = lru_cache(maxsize=4096)(ExerciseRow)


@lru_cache(maxsize=64)
def _shared_remarks(remarks: tuple[str, ...]) -> tuple[str, ...]:
    return remarks


def exercise_ids(rows: Iterable[Row]) -> list[str]:
    """The exercises that occur in these rows, in the order of the course; unknown ones last."""
    seen = dict.fromkeys(exercise.id for row in rows for exercise in row.exercises)
    known = [exercise.id for exercise in COURSE if exercise.id in seen]
    return known + [name for name in seen if name not in known]


def by_student(rows: Iterable[Row]) -> list[Row]:
    """The order of every list of a class."""
    return sorted(rows, key=lambda row: (row.student, row.folder))
