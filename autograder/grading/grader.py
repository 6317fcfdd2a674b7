"""Grades one submission: every exercise in the course's order, each in a fresh worker, into a `Report`.

One `Grader` lives in each grader process, with its collected tests and its template of the jail.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import TracebackType

from autograder.course import COURSE, Exercise, find
from autograder.expect import hint_line
from autograder.grading.diagnosis import decide
from autograder.grading.reference import reference
from autograder.grading.run import Budget, Code, is_locked_test
from autograder.grading.session import HiddenTests, Outcome
from autograder.grading.student import Student
from autograder.inside.setting import NO_NAMESPACES
from autograder.jail import DRAWING, PRELOAD, JailUnavailable, Session, Template, visible_packages
from autograder.language import language, say, speaking
from autograder.limits import Limits
from autograder.misconceptions.catalogue import by_id
from autograder.reports.model import ExerciseReport, Report, TestResult
from autograder.submissions.model import Submission
from autograder.submissions.provided import PROVIDED


class Grader:
    """Grades submissions one after the other. Close it, or use it in a `with`."""

    def __init__(self, jail: str, limits: Limits):
        self.limits = limits
        self.tests = HiddenTests()
        self.template = Template(jail, limits)
        self.drawing: Template | None = None  # with matplotlib, from the first submission on that draws

    def __enter__(self) -> Grader:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """End the templates of the jail."""
        self.template.close()
        if self.drawing is not None:
            self.drawing.close()

    def _template(self, submission: Submission) -> Template:
        """The template that has imported what this submission would import in every exercise anew.

        What matplotlib keeps about its folder holds in a fork where the folder has one name for all; so there must be namespaces.
        """
        if self.template.jail == "none" or not draws(submission) or "matplotlib" not in visible_packages():
            return self.template
        if NO_NAMESPACES in self.template.ready().missing:
            return self.template
        if self.drawing is None:
            self.drawing = Template(self.template.jail, self.limits, preload=(*PRELOAD, *DRAWING))
        try:
            self.drawing.ready()
        except JailUnavailable:  # a matplotlib that cannot be imported is for the student to meet
            return self.template
        return self.drawing

    def grade(self, submission: Submission, seed: int, *, exercises: Sequence[str] = (), lang: str | None = None) -> Report:
        """The report of one submission, on these exercises or on all of the course."""
        start = time.monotonic()
        budget = Budget(self.limits.submission_seconds)
        output: dict[str, str] = {}
        with speaking(lang):
            chosen = [find(id) for id in exercises] if exercises else COURSE
            with self._template(submission).open({**submission.files, **PROVIDED}) as session:
                reports = tuple(
                    self._exercise(exercise, submission, session, seed, budget, output) for exercise in COURSE if exercise in chosen
                )
            return Report(
                student=submission.student,
                status="graded",
                seed=seed,
                score=sum(e.score for e in reports if not e.bonus),
                max_score=sum(e.max_score for e in reports if not e.bonus),
                bonus=sum(e.score for e in reports if e.bonus),
                notes=submission.notes,
                exercises=reports,
                jail=self.template.jail,
                jail_remarks=self.template.remarks(),
                language=language(),
                output=output,
                seconds=time.monotonic() - start,
            )

    def _exercise(
        self, exercise: Exercise, submission: Submission, session: Session, seed: int, budget: Budget, output: dict[str, str]
    ) -> ExerciseReport:
        if is_missing(exercise, submission):
            told = say(f"{exercise.module}.py was not handed in.", f"没有提交 {exercise.module}.py。")
            outcomes = [Outcome(test, rubric, "missing", told) for test, rubric in self.tests.rubric(exercise).items()]
            return report_of(exercise, outcomes)
        cells = submission.cells if submission.cells and f"exercises/{exercise.module}.py" not in submission.files else None
        code = Code({**submission.files, **PROVIDED}, cells)
        student = Student(exercise, code, session.spawn, reference(), self.limits, budget)
        try:
            outcomes = list(self.tests.run(exercise, student, seed))
        finally:
            student.close()
        printed = "\n".join(f"[{name}]\n{text.decode('utf-8', 'replace')}" for name, text in sorted(code.output.items()) if text)
        if printed:
            output[exercise.id] = printed
        return report_of(exercise, outcomes)


def draws(submission: Submission) -> bool:
    """Whether there is matplotlib in a submission's text, or the provided module that imports it."""
    texts = (
        *(text for name, text in submission.files.items() if name.endswith(".py")),
        *(cell.source.encode() for cell in submission.cells),
    )
    return any(b"matplotlib" in text or b"exercises.plotting" in text for text in texts)


def is_missing(exercise: Exercise, submission: Submission) -> bool:
    """Whether nothing of this exercise was handed in; a notebook is looked into in the jail."""
    return f"exercises/{exercise.module}.py" not in submission.files and not any(not is_locked_test(c) for c in submission.cells)


def report_of(exercise: Exercise, outcomes: Sequence[Outcome]) -> ExerciseReport:
    """The exercise's score. A test of a property alone earns nothing unless a test of values passed."""
    values_right = any(o.status == "passed" and not o.rubric.property_alone for o in outcomes)
    tests = []
    for outcome, misconception in zip(outcomes, decide([o.evidence for o in outcomes], reference()), strict=True):
        counts = outcome.status == "passed" and (values_right or not outcome.rubric.property_alone)
        told = outcome.told
        if outcome.status == "passed" and not counts:
            told = say("This holds, and counts once a value of this exercise is right.", "这一点成立；等本练习有数值正确后才计分。")
        if outcome.rubric.explanation is not None and outcome.status in ("passed", "failed"):
            told = "\n".join(part for part in (told, str(outcome.rubric.explanation)) if part)
        if misconception is not None:
            told += "\n" + hint_line(by_id()[misconception].hint)
        tests.append(
            TestResult(
                id=outcome.test,
                title=str(outcome.rubric.title),
                status=outcome.status,
                points=float(outcome.rubric.points),
                earned=float(outcome.rubric.points) if counts else 0.0,
                message="\n".join(part for part in (told, outcome.detail) if part),
                feedback=told,
                misconception=misconception,
            )
        )
    return ExerciseReport(
        id=exercise.id,
        title=str(exercise.title),
        status=status_of([test.status for test in tests]),
        score=sum(test.earned for test in tests),
        max_score=float(exercise.points),
        bonus=exercise.bonus,
        tests=tuple(tests),
    )


def status_of(statuses: Sequence[str]) -> str:
    """The exercise's status from its tests': passed, missing, error, todo, else failed."""
    if all(status == "passed" for status in statuses):
        return "passed"
    for status in ("missing", "error"):
        if all(s == status for s in statuses):
            return status
    return "todo" if all(status in ("passed", "todo") for status in statuses) else "failed"
