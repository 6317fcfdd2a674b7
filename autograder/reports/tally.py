"""Adds up a class: what summary.html shows, as data, from one pass over the rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, median

from autograder.course import COURSE
from autograder.misconceptions.catalogue import by_id
from autograder.reports.rows import ExerciseRow, Row, by_student, exercise_ids
from autograder.reports.words import shade

BINS = 10
SLOWEST = 10
STRIPS = 10  # of a class that is too large to show every student in a picture
NOT_TRIED = ("todo", "missing")


@dataclass(frozen=True)
class TestTally:
    """One hidden test over the class. `counts` has the statuses that occurred.

    Tests of an exercise with one title are one test here, with several inputs: passed where all of them are.
    """

    __test__ = False  # no test class, whatever pytest thinks of the name

    id: str
    title: str
    counts: dict[str, int]
    inputs: int = 1

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
    """One exercise over the class; `counts` by shade, so "partly" apart from "failed".

    mean: of all. share: of the points, 0 to 1, the mean of those who wrote something for it; 1 where nobody did.
    """

    id: str
    title: str
    bonus: bool
    max_score: float
    mean: float
    share: float
    counts: dict[str, int]
    tests: tuple[TestTally, ...]

    @property
    def students(self) -> int:
        return sum(self.counts.values())

    @property
    def tried(self) -> int:
        """Students who wrote something for it."""
        return self.students - sum(self.counts.get(status, 0) for status in NOT_TRIED)


@dataclass(frozen=True)
class MisconceptionTally:
    """One misconception: who shows it, and the titles of the tests in which it was seen.

    exercise: its title. hint: the question that the student was asked. about: what the code does, in English; both empty where the
    catalogue does not know the id.
    """

    id: str
    exercise: str
    hint: str
    about: str
    tests: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Trouble:
    """A student with tests that ran out of time or whose process died: (exercise, title, status)."""

    row: Row
    tests: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Strip:
    """Students next to each other in the order of their scores: ranks first to last, scores lowest to highest.

    shares: by exercise id, the mean share of its points, 0 to 1.
    """

    first: int
    last: int
    lowest: float
    highest: float
    shares: dict[str, float]


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
    below_half: tuple[Row, ...]
    exercises: tuple[ExerciseTally, ...]
    misconceptions: tuple[MisconceptionTally, ...]
    troubles: tuple[Trouble, ...]
    slowest: tuple[Row, ...]
    jails: tuple[tuple[str, int], ...]
    jail_remarks: tuple[str, ...]  # each once

    @property
    def graded(self) -> int:
        return len(self.rows) - len(self.errors)

    @property
    def unjailed(self) -> int:
        """Submissions that ran without a jail."""
        return sum(count for jail, count in self.jails if jail.split(" ")[0] == "none")

    @property
    def best_first(self) -> list[Row]:
        """Every row by score, those without one last."""
        return sorted(self.rows, key=lambda row: (row.status == "error", -row.score, -row.bonus))

    def hardest(self) -> ExerciseTally | None:
        """The exercise of which those who tried it earned the least, two at least and no bonus; None where they all earned everything."""
        tried = [e for e in self.exercises if not e.bonus and e.tried > 1 and e.share < 1]
        return min(tried, key=lambda e: e.share, default=None)

    def strips(self) -> list[Strip]:
        """The graded submissions in STRIPS groups of equal size, the best first."""
        graded = [row for row in self.best_first if row.status != "error"]
        borders = [round(i * len(graded) / STRIPS) for i in range(STRIPS + 1)]
        return [_strip(graded[a:b], a, [e.id for e in self.exercises]) for a, b in pairwise(borders) if a < b]

    def nobody_passes(self) -> list[tuple[ExerciseTally, TestTally]]:
        """Tests that two at least have tried and nobody passed: the test, or the lesson before it, deserves a look."""
        return [(e, t) for e in self.exercises for t in e.tests if t.tried > 1 and not t.passed]

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
        below_half=tuple(row for row in graded if row.score < row.max_score / 2),
        exercises=tuple(_exercise(name, graded) for name in exercise_ids(graded)),
        misconceptions=_misconceptions(graded),
        troubles=_troubles(graded),
        slowest=tuple(timed[:SLOWEST]),
        jails=tuple(Counter(row.jail for row in ordered if row.jail).most_common()),
        jail_remarks=tuple(dict.fromkeys(remark for row in ordered for remark in row.jail_remarks)),
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
    ids: dict[str, dict[str, None]] = {}
    counts: dict[str, Counter[str]] = {}
    for part in parts:
        statuses: dict[str, str] = {}
        for outcome in part.tests:
            ids.setdefault(outcome.title, {})[outcome.id] = None
            if statuses.get(outcome.title, "passed") == "passed":
                statuses[outcome.title] = outcome.status
        for title, status in statuses.items():
            counts.setdefault(title, Counter())[status] += 1
    tried = [part.score / part.max_score for part in parts if part.status not in NOT_TRIED and part.max_score > 0]
    return ExerciseTally(
        id=name,
        title=title_of(name),
        bonus=parts[0].bonus,
        max_score=max(part.max_score for part in parts),
        mean=fmean(part.score for part in parts),
        share=fmean(tried) if tried else 1.0,
        counts=dict(Counter(shade(part.status, part.score) for part in parts)),
        tests=tuple(TestTally(next(iter(ids[title])), title, dict(counts[title]), len(ids[title])) for title in ids),
    )


def title_of(exercise_id: str) -> str:
    """The exercise's title in the language in force; its id where the course does not know it."""
    return next((str(exercise.title) for exercise in COURSE if exercise.id == exercise_id), exercise_id)


def _misconceptions(graded: Sequence[Row]) -> tuple[MisconceptionTally, ...]:
    students: dict[str, dict[int, Row]] = {}
    tests: dict[str, dict[str, None]] = {}
    exercises: dict[str, str] = {}
    for i, row in enumerate(graded):
        for exercise in row.exercises:
            for outcome in exercise.tests:
                if outcome.misconception:
                    students.setdefault(outcome.misconception, {})[i] = row
                    tests.setdefault(outcome.misconception, {})[outcome.title] = None
                    exercises.setdefault(outcome.misconception, title_of(exercise.id))
    found = []
    for name, rows in students.items():
        entry = by_id().get(name)
        hint, about = (str(entry.hint), entry.about) if entry else ("", "")
        found.append(MisconceptionTally(name, exercises[name], hint, about, tuple(tests[name]), tuple(rows.values())))
    return tuple(sorted(found, key=lambda m: (-len(m.rows), m.id)))


def _strip(rows: Sequence[Row], before: int, exercises: Iterable[str]) -> Strip:
    """One group of students; `before`: how many are better."""
    shares: dict[str, list[float]] = {name: [] for name in exercises}
    for row in rows:
        for part in row.exercises:
            if part.max_score > 0:
                shares[part.id].append(part.score / part.max_score)
    means = {name: fmean(of_exercise) for name, of_exercise in shares.items() if of_exercise}
    return Strip(before + 1, before + len(rows), rows[-1].score, rows[0].score, means)


def _troubles(graded: Sequence[Row]) -> tuple[Trouble, ...]:
    found = []
    for row in graded:
        tests = tuple((e.id, t.title, t.status) for e in row.exercises for t in e.tests if t.status in ("timeout", "crashed"))
        if tests:
            found.append(Trouble(row, tests))
    return tuple(found)
