"""Runs the hidden tests with pytest: collected once in a grader process, run for every submission.

`HiddenTests` keeps a configured pytest session and sends its items through pytest's own protocol; a plugin gives the
fixtures `student`, `reference` and `course_seed`, and keeps the outcome of each test.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from _pytest.config import _prepareconfig

from autograder.course import COURSE, Exercise
from autograder.expect import Wrong
from autograder.grading.conversation import Unanswered
from autograder.grading.diagnosis import NOTHING, Evidence, candidates
from autograder.grading.reference import Reference, reference
from autograder.grading.rubric import MARK, Graded
from autograder.grading.student import Student

FOLDER = Path(__file__).resolve().parents[1] / "hidden"


class FaultOfTheKit(Exception):
    """A hidden test failed by itself: a bug of the kit's, never the student's fault."""


@dataclass(frozen=True)
class Outcome:
    """How one hidden test ended. `detail` is for the instructor alone."""

    test: str
    rubric: Graded
    status: str
    told: str = ""
    detail: str = ""
    evidence: Evidence = NOTHING  # of misconceptions


class HiddenTests:
    """The hidden tests of the whole course, ready to be run again and again."""

    def __init__(self) -> None:
        self.plugin = _Plugin()
        options = [
            "--rootdir",
            str(FOLDER),
            "-c",
            os.devnull,
            "--assert=plain",
            "--capture=no",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:terminal",
        ]
        options += [
            "-p",
            "no:logging",
            "-p",
            "no:faulthandler",
            "-p",
            "no:unraisableexception",
            "-p",
            "no:threadexception",
            "-p",
            "no:warnings",
        ]
        autoload = os.environ.get("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        try:
            config = _prepareconfig([*options, str(FOLDER)], [self.plugin])
        finally:
            if autoload is None:
                del os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"]
            else:
                os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = autoload
        config._do_configure()
        self.session = pytest.Session.from_config(config)
        config.hook.pytest_sessionstart(session=self.session)
        self.session.perform_collect()
        self.items: dict[str, list[pytest.Item]] = {exercise.id: [] for exercise in COURSE}
        for item in self.session.items:
            self.items[item.path.stem.removeprefix("test_")].append(item)
        for exercise, items in self.items.items():
            if not items:
                raise FaultOfTheKit(f"exercise {exercise} has no hidden test")

    def rubric(self, exercise: Exercise) -> dict[str, Graded]:
        """The tests of one exercise with their points and titles."""
        return {test_id(item): graded_mark(item) for item in self.items[exercise.id]}

    def run(self, exercise: Exercise, student: Student, seed: int) -> Iterator[Outcome]:
        """Run the tests of one exercise against one student's code."""
        self.plugin.student, self.plugin.seed = student, seed
        for item in self.items[exercise.id]:
            self.plugin.error = None
            # No next item: whatever happens, pytest's state is torn down and ready for another submission.
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            outcome = outcome_of(item, self.plugin.error)
            taken = student.take_calls()
            calls = () if outcome.rubric.property_alone else taken
            student.forget_objects()
            yield replace(outcome, evidence=replace(outcome.evidence, calls=calls))


def test_id(item: pytest.Item) -> str:
    """The test's id in reports: its name without `test_`."""
    return item.name.removeprefix("test_")


test_id.__test__ = False  # type: ignore[attr-defined]


def graded_mark(item: pytest.Item) -> Graded:
    """The rubric's line that the test carries."""
    mark = item.get_closest_marker(MARK)
    if mark is None:
        raise FaultOfTheKit(f"{item.nodeid} has no @graded(points, title, 中文)")
    return mark.args[0]


class _Plugin:
    """Fixtures of the grader's, and the ear for how each test ended."""

    student: Student
    seed: int
    error: BaseException | None = None

    def pytest_configure(self, config: pytest.Config) -> None:
        config.addinivalue_line("markers", f"{MARK}: points and title of a hidden test")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            raise FaultOfTheKit(f"{report.nodeid} cannot be collected: {report.longrepr}")

    @pytest.fixture(name="student")
    def give_student(self) -> Student:
        """The student's module, behind the wire."""
        return self.student

    @pytest.fixture(name="reference")
    def give_reference(self) -> Reference:
        """The reference solutions."""
        return reference()

    @pytest.fixture
    def course_seed(self) -> int:
        """The seed that all hidden inputs come from."""
        return self.seed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[Any]) -> pytest.TestReport:
        """Keep the exception, and spare pytest's own report: drawing a traceback takes longer than the test."""
        if call.excinfo is not None and self.error is None:
            self.error = call.excinfo.value
        return pytest.TestReport(
            item.nodeid,
            item.location,
            {},
            "passed" if call.excinfo is None else "failed",
            longrepr=None,
            when=call.when,  # type: ignore[arg-type]
        )


def outcome_of(item: pytest.Item, error: BaseException | None) -> Outcome:
    """What the exception that ended a hidden test means for the student; FaultOfTheKit where it means nothing."""
    test, rubric = test_id(item), graded_mark(item)
    if error is None:
        return Outcome(test, rubric, "passed")
    if isinstance(error, Wrong):
        reply = error.reply
        detail = reply.raised.detail if reply is not None and reply.raised is not None else ""
        origin = reply.origin if reply is not None else None
        evidence = Evidence(candidates(origin, reference()), "" if origin is None or rubric.property_alone else origin.target)
        return Outcome(test, rubric, "failed", error.message, detail, evidence)
    if isinstance(error, Unanswered):
        return Outcome(test, rubric, error.status, error.told, error.detail)
    raise FaultOfTheKit(f"the hidden test {item.nodeid} raised {type(error).__name__}: {error}") from error
