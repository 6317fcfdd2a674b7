"""Adds up a class: what summary.html shows, as data, from one pass over the rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from autograder.course import COURSE
from autograder.reports.rows import ExerciseRow, Row, by_student, exercise_ids
from autograder.reports.words import shade

BINS = 10
SLOWEST = 10
NOT_TRIED = ("todo", "missing")


@dataclass(frozen=True)
class TestTally:
    """One hidden test over the class. `counts` has the statuses that occurred."""

    __test__ = False  # no test class, whatever pytest thinks of the name

    id: str
    title: str
    counts: dict[str, int]

    @property
    def students(self) -> int:
        return sum(self.counts.values())

    @property
    def passed(self) -> int:
        return self.counts.get("passed", 0)

    @property
    def tried(self) -> int:
        """Students who wrote something for it."""
        return self.students - sum(self.counts.get(status, 0) for status in NOT_TRIED)


@dataclass(frozen=True)
class ExerciseTally:
    """One exercise over the class; `counts` by shade, so "partly" apart from "failed"."""

    id: str
    title: str
    bonus: bool
    max_score: float
    mean: float
    counts: dict[str, int]
    tests: tuple[TestTally, ...]

    @property
    def students(self) -> int:
        return sum(self.counts.values())


@dataclass(frozen=True)
class MisconceptionTally:
    """One misconception: who shows it, and in which tests it was seen."""

    id: str
    tests: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Trouble:
    """A student with tests that ran out of time or whose process died: (exercise, title, status)."""

    row: Row
    tests: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class ClassTally:
    """A whole class. `bins[i]` counts scores from 10 i % up to 10 (i + 1) %, full marks in the last."""

    rows: tuple[Row, ...]
    errors: tuple[Row, ...]
    bins: tuple[int, ...]
    mean: float
    median: float
    max_score: float
    full_marks: int
    exercises: tuple[ExerciseTally, ...]
    misconceptions: tuple[MisconceptionTally, ...]
    troubles: tuple[Trouble, ...]
    slowest: tuple[Row, ...]
    jails: tuple[tuple[str, int], ...]

    @property
    def graded(self) -> int:
        return len(self.rows) - len(self.errors)

    @property
    def unjailed(self) -> int:
        """Submissions that ran without a jail."""
        return sum(count for jail, count in self.jails if jail.split(" ")[0] == "none")

    def nobody_passes(self) -> list[tuple[ExerciseTally, TestTally]]:
        """Tests that somebody tried and nobody passed: the test, or the lesson before it, deserves a look."""
        return [(e, t) for e in self.exercises for t in e.tests if t.tried and not t.passed]

    def everybody_passes(self) -> list[tuple[ExerciseTally, TestTally]]:
        """Tests that everybody passes who tried them, two at least."""
        return [(e, t) for e in self.exercises for t in e.tests if t.tried > 1 and t.passed == t.tried]


def tally(rows: Iterable[Row]) -> ClassTally:
    """The class, rows by student."""
    ordered = tuple(by_student(rows))
    graded = [row for row in ordered if row.status != "error"]
    scores = [row.score for row in graded]
    timed = sorted((row for row in graded if row.seconds), key=lambda row: -(row.seconds or 0.0))
    return ClassTally(
        rows=ordered,
        errors=tuple(row for row in ordered if row.status == "error"),
        bins=_bins(graded),
        mean=fmean(scores) if scores else 0.0,
        median=median(scores) if scores else 0.0,
        max_score=max((row.max_score for row in graded), default=0.0),
        full_marks=sum(row.score >= row.max_score > 0 for row in graded),
        exercises=tuple(_exercise(name, graded) for name in exercise_ids(graded)),
        misconceptions=_misconceptions(graded),
        troubles=_troubles(graded),
        slowest=tuple(timed[:SLOWEST]),
        jails=tuple(Counter(row.jail for row in ordered if row.jail).most_common()),
    )


def _bins(graded: Iterable[Row]) -> tuple[int, ...]:
    counts = [0] * BINS
    for row in graded:
        share = row.score / row.max_score if row.max_score > 0 else 0.0
        # As floats, 0.6 of 3 points are 1.9999999999999998 tenths; they belong to the column that starts at 20 %.
        counts[max(0, min(BINS - 1, int(share * BINS + 1e-6)))] += 1
    return tuple(counts)


def _exercise(name: str, graded: Sequence[Row]) -> ExerciseTally:
    parts: list[ExerciseRow] = [part for row in graded for part in row.exercises if part.id == name]
    titles: dict[str, str] = {}
    counts: dict[str, Counter[str]] = {}
    for part in parts:
        for outcome in part.tests:
            titles[outcome.id] = outcome.title
            counts.setdefault(outcome.id, Counter())[outcome.status] += 1
    return ExerciseTally(
        id=name,
        title=title_of(name),
        bonus=parts[0].bonus,
        max_score=max(part.max_score for part in parts),
        mean=fmean(part.score for part in parts),
        counts=dict(Counter(shade(part.status, part.score) for part in parts)),
        tests=tuple(TestTally(test, titles[test], dict(counts[test])) for test in counts),
    )


def title_of(exercise_id: str) -> str:
    """The exercise's title in the language in force; its id where the course does not know it."""
    return next((str(exercise.title) for exercise in COURSE if exercise.id == exercise_id), exercise_id)


def _misconceptions(graded: Sequence[Row]) -> tuple[MisconceptionTally, ...]:
    students: dict[str, dict[int, Row]] = {}
    tests: dict[str, dict[str, None]] = {}
    for i, row in enumerate(graded):
        for exercise in row.exercises:
            for outcome in exercise.tests:
                if outcome.misconception:
                    students.setdefault(outcome.misconception, {})[i] = row
                    tests.setdefault(outcome.misconception, {})[f"{exercise.id}: {outcome.title}"] = None
    found = [MisconceptionTally(name, tuple(tests[name]), tuple(rows.values())) for name, rows in students.items()]
    return tuple(sorted(found, key=lambda m: (-len(m.rows), m.id)))


def _troubles(graded: Sequence[Row]) -> tuple[Trouble, ...]:
    found = []
    for row in graded:
        tests = tuple((e.id, t.title, t.status) for e in row.exercises for t in e.tests if t.status in ("timeout", "crashed"))
        if tests:
            found.append(Trouble(row, tests))
    return tuple(found)
