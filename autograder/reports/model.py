"""What a grading run says about one submission, as data. `report.json` is its edge; the pages are drawn from it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class TestResult:
    """One hidden test. `message` is the instructor's, `feedback` what the student may read; both in one language."""

    __test__ = False  # no test class, whatever pytest thinks of the name

    id: str
    title: str
    status: str  # passed, failed, todo, missing, error, timeout, crashed
    points: float
    earned: float
    message: str = ""
    feedback: str = ""
    misconception: str | None = None


@dataclass(frozen=True)
class ExerciseReport:
    """One exercise and its tests."""

    id: str
    title: str
    status: str  # passed, failed, todo, missing, error
    score: float
    max_score: float
    bonus: bool
    tests: tuple[TestResult, ...] = ()


@dataclass(frozen=True)
class Report:
    """One submission. `score` and `max_score` leave the bonus out."""

    student: str
    status: str  # graded, error
    seed: int
    score: float = 0.0
    max_score: float = 0.0
    bonus: float = 0.0
    notes: tuple[str, ...] = ()
    exercises: tuple[ExerciseReport, ...] = ()
    jail: str = ""
    jail_remarks: tuple[str, ...] = ()  # what this jail cannot promise on the machine that graded
    language: str = "en"
    output: dict[str, str] = field(default_factory=dict)  # what the student's code printed, by exercise; the instructor's
    seconds: float = 0.0
    drawn: dict[str, str] = field(default_factory=dict, compare=False, repr=False)  # the text of its files, where the grader drew them
