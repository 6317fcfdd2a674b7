"""Runs the hidden tests with pytest: collected once in a grader process, run for every submission.

`HiddenTests` keeps a configured pytest session and has pytest set up, run and tear down its items; a plugin gives the
fixtures `student`, `reference` and `course_seed`, and keeps the outcome of each test.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from _pytest.config import _prepareconfig

from autograder.course import COURSE, Exercise
from autograder.expect import Wrong
from autograder.grading.conversation import Unanswered
from autograder.grading.diagnosis import NOTHING, Evidence, candidates
from autograder.grading.fixtures import Plan, plan_of
from autograder.grading.foresight import Diverged
from autograder.grading.reference import Reference, reference, remembering_reference
from autograder.grading.rubric import MARK, Graded, in_points
from autograder.grading.student import Student

UNUSED_PLUGINS = (
    *("cacheprovider", "debugging", "doctest", "faulthandler", "junitxml", "legacypath", "logging", "pastebin", "recwarn", "setuponly"),
    *("setupplan", "skipping", "stepwise", "subtests", "terminal", "threadexception", "tmpdir", "unittest", "unraisableexception"),
    "warnings",
)
RUBRIC = pytest.StashKey[Graded]()
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
        options = ["--rootdir", str(FOLDER), "-c", os.devnull, "--assert=plain", "--capture=no"]
        options += [part for name in UNUSED_PLUGINS for part in ("-p", f"no:{name}")]
        files = [FOLDER / f"test_{exercise.id}.py" for exercise in COURSE]  # those of exercises that were taken out stay aside
        autoload = os.environ.get("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        try:
            config = _prepareconfig([*options, *(str(file) for file in files if file.is_file())], [self.plugin])
        finally:
            if autoload is None:
                del os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"]
            else:
                os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = autoload
        config._do_configure()
        self.session = pytest.Session.from_config(config)
        config.hook.pytest_sessionstart(session=self.session)
        self.session.perform_collect()
        self.items: dict[str, list[pytest.Function]] = {exercise.id: [] for exercise in COURSE}
        for item in self.session.items:
            assert isinstance(item, pytest.Function)
            self.items[item.path.stem.removeprefix("test_")].append(item)
        for exercise in COURSE:
            items = self.items[exercise.id]
            if not items:
                raise FaultOfTheKit(f"exercise {exercise.id} has no hidden test")
            for item, line in zip(items, in_points([graded_mark(item) for item in items], exercise.points), strict=True):
                item.stash[RUBRIC] = line

    def rubric(self, exercise: Exercise) -> dict[str, Graded]:
        """The tests of one exercise with their points and titles."""
        return {test_id(item): item.stash[RUBRIC] for item in self.items[exercise.id]}

    def run(self, exercise: Exercise, student: Student, seed: int) -> Iterator[Outcome]:
        """Run the tests of one exercise against one student's code."""
        self.plugin.student, self.plugin.seed = student, seed
        items = self.items[exercise.id]
        keys = [(exercise.id, item.name, seed) for item in items]
        try:
            for number, (item, following) in enumerate(zip(items, [*items[1:], None], strict=True)):
                student.begin(keys[number], keys[number + 1 :])
                error = self.plugin.error_of(item, following)
                if isinstance(error, Diverged) or (is_about_an_object(error) and student.is_ahead()):
                    student.begin_again()
                    error = self.plugin.error_of(item, following)
                outcome = outcome_of(item, error)
                taken = student.end(passed=error is None)
                calls = () if outcome.rubric.property_alone else taken
                yield replace(outcome, evidence=replace(outcome.evidence, calls=calls))
        finally:  # also where nobody wants the rest: pytest is ready for another submission
            self.session._setupstate.teardown_exact(None)


def test_id(item: pytest.Item) -> str:
    """The test's id in reports: its name without `test_`."""
    return item.name.removeprefix("test_")


test_id.__test__ = False  # type: ignore[attr-defined]


def graded_mark(item: pytest.Item) -> Graded:
    """The rubric's line as the test declares it."""
    mark = item.get_closest_marker(MARK)
    if mark is None:
        raise FaultOfTheKit(f"{item.nodeid} has no @graded(points, title, 中文)")
    return mark.args[0]


class _Plugin:
    """Fixtures of the grader's, and how each test is run."""

    student: Student
    seed: int

    def __init__(self) -> None:
        self.plans: dict[str, Plan | None] = {}

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
        return remembering_reference()

    @pytest.fixture
    def course_seed(self) -> int:
        """The seed that all hidden inputs come from."""
        return self.seed

    def error_of(self, item: pytest.Function, following: pytest.Item | None) -> BaseException | None:
        """Set up, run and tear down as pytest's own protocol does, without its reports, which nobody reads here.

        A test is over when everything that it asked for is done. Returns: the exception that ended it, None where it passed.
        """
        if item.nodeid not in self.plans:
            self.plans[item.nodeid] = plan_of(item)
        plan = self.plans[item.nodeid]
        if plan is not None:
            return error_in(lambda: plan.run(item.obj)) or error_in(self.student.settle)
        item._initrequest()
        error = error_in(lambda: item.session._setupstate.setup(item)) or error_in(item.runtest) or error_in(self.student.settle)
        torn_down = error_in(lambda: item.session._setupstate.teardown_exact(following))
        return error or torn_down


def error_in(part: Callable[[], object]) -> BaseException | None:
    """Run a part of a test: the exception that ended it; pytest's own outcomes are no subclasses of Exception."""
    try:
        part()
    except (KeyboardInterrupt, SystemExit, pytest.exit.Exception):
        raise
    except BaseException as error:
        return error
    return None


def is_about_an_object(error: BaseException | None) -> bool:
    """Whether a wrong answer is explained by what its object is like now: a worker that is ahead of the test has gone on with it."""
    reply = error.reply if isinstance(error, Wrong) else None
    return reply is not None and reply.origin is not None and bool(reply.origin.before)


def outcome_of(item: pytest.Item, error: BaseException | None) -> Outcome:
    """What the exception that ended a hidden test means for the student; FaultOfTheKit where it means nothing."""
    test, rubric = test_id(item), item.stash[RUBRIC]
    if error is None:
        return Outcome(test, rubric, "passed")
    if isinstance(error, Wrong):
        reply = error.reply
        detail = reply.raised.detail if reply is not None and reply.raised is not None else ""
        origin = reply.origin.origin() if reply is not None and reply.origin is not None else None
        evidence = Evidence(candidates(origin, reference()), "" if origin is None or rubric.property_alone else origin.target)
        return Outcome(test, rubric, "failed", error.message, detail, evidence)
    if isinstance(error, Unanswered):
        return Outcome(test, rubric, error.status, error.told, error.detail)
    raise FaultOfTheKit(f"the hidden test {item.nodeid} raised {type(error).__name__}: {error}") from error
