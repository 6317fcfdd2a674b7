"""pytest's side of the self-check: fixtures of the tests, short messages for wrong answers, and the board at the end."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, suppress
from pathlib import Path

import numpy as np
import pytest

from . import board
from .course import TITLES
from .expect import Wrong, hint_line
from .hints import hint_for, hint_lines
from .language import LANGUAGES, say, speaking
from .notebook import NAMESPACE
from .student import DoesNotImport, Student, Todo, describe_exception, own_line
from .titles import title_of
from .watch import watch

TESTS = Path(__file__).resolve().parent

RESULTS = pytest.StashKey[board.Results]()
BROKEN_IMPORTS = pytest.StashKey[set[str]]()
HINTS_SHOWN = pytest.StashKey[set[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Called twice in a release, where conftest.py beside pytest.ini takes this over: an option must be known before the tests are."""
    with suppress(ValueError):
        parser.addoption("--lang", choices=LANGUAGES, help="the language of the messages (default: AUTOGRADER_LANG, else en)")
        parser.addoption("--hint", action="count", default=0, help="a question for what is wrong or to do next; twice: where to read, too")
        parser.addoption("--watch", action="store_true", help="test again whenever an exercise is saved, until Ctrl-C")
        parser.addoption("--saved", metavar="EXERCISE", help="the exercise whose messages to show; the board shows all (--watch uses it)")


def pytest_cmdline_main(config: pytest.Config) -> int | None:
    if not config.getoption("--watch") or config.getoption("--saved") is not None:  # the runs that a watch starts have --saved
        return None
    with speaking(config.getoption("--lang")):
        return watch(config.invocation_params.args, TESTS.parent)


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--lang"):
        language = ExitStack()
        language.enter_context(speaking(config.getoption("--lang")))
        config.add_cleanup(language.close)
    config.stash[RESULTS] = board.Results()
    config.stash[BROKEN_IMPORTS] = set()
    config.stash[HINTS_SHOWN] = set()


@pytest.fixture
def student(request: pytest.FixtureRequest) -> Student:
    """The code that the test file is about: for test_softmax.py exercises/softmax.py, or the names of a notebook."""
    return Student(exercise_of(request.path), request.config.stash.get(NAMESPACE, None))


@pytest.fixture
def rng() -> np.random.Generator:
    """Random numbers, the same in every run."""
    return np.random.default_rng(2017)


def exercise_of(path: Path) -> str:
    """test_softmax.py -> softmax."""
    return path.stem.removeprefix("test_")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The saved exercise, then all in the order of the course, so that `-x` stops at the first one to mend."""
    order = list(TITLES)

    def place(item: pytest.Item) -> int:
        exercise = exercise_of(item.path)
        if exercise == config.getoption("--saved"):
            return -2
        return order.index(exercise) if item.path.parent == TESTS and exercise in order else -1

    items.sort(key=place)


def pytest_collection_finish(session: pytest.Session) -> None:
    results = session.config.stash[RESULTS]
    for item in session.items:
        if item.path.parent == TESTS:
            results.collected(exercise_of(item.path), item.nodeid)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Put the student's words in the place of a traceback through the kit."""
    report = yield
    title = title_of(item.name, getattr(item, "function", None))
    report.user_properties.append((board.TITLE, title))
    if call.excinfo is None:
        return report
    error, exercise = call.excinfo.value, exercise_of(item.path)
    report.location = (*report.location[:2], f"{exercise}: {title}")
    if isinstance(error, Todo):
        item.config.stash[RESULTS].met_stub(exercise, error.what, error.exercise)
        _do_not_count(report, board.TO_DO, error.what)
    elif isinstance(error, DoesNotImport) and error.cause in item.config.stash[BROKEN_IMPORTS]:
        _do_not_count(report, board.NOT_RUN, error.cause)  # one broken line would fail all tests of all exercises that build on it
    elif isinstance(error, Wrong):
        report.longrepr = "\n".join([error.message, *_hints(item, exercise, error)])
        if isinstance(error, DoesNotImport):
            item.config.stash[BROKEN_IMPORTS].add(error.cause)
    elif own_line(error):
        report.longrepr = say(f"It raised {describe_exception(error)}.", f"它抛出了 {describe_exception(error)}。")
    return report


def _hints(item: pytest.Item, exercise: str, error: Wrong) -> list[str]:
    """The hints for a wrong answer. What holds for all tests of a function is said under the first of them."""
    shown = item.config.stash[HINTS_SHOWN]
    mistake = hint_for(exercise, item.name, error.reply)
    lines = hint_lines(item.config.getoption("--hint"), exercise, str(error.called), mistake)
    new = [line for line in lines if line not in shown or line == hint_line(mistake)]
    shown.update(new)
    return new


def _do_not_count(report: pytest.TestReport, status: str, reason: str) -> None:
    report.outcome = "skipped"
    report.longrepr = (report.location[0], report.location[1] or 0, reason)
    report.user_properties.append((board.STATUS, status))


@pytest.hookimpl(wrapper=True)
def pytest_report_teststatus(report: pytest.TestReport, config: pytest.Config) -> Generator[None, object, object]:
    """A wrapper, so that an editor's test explorer, which listens here, hears of these tests too."""
    outcome = yield
    status = board.status_of(report.user_properties)
    if status is None and report.failed and config.getoption("--saved") not in (None, "", exercise_of(Path(report.nodeid.split("::")[0]))):
        status = board.WRONG  # and not "failed", of which pytest shows the message
    return outcome if status is None else (status, "F" if status == board.WRONG else "-", status.upper())


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    results = config.stash[RESULTS]
    for category, reports in terminalreporter.stats.items():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                results.ran(report.nodeid, category)
    here = Path(config.invocation_params.dir)
    board.show(results, terminalreporter, TESTS, here, hints=config.getoption("--hint"), saved=config.getoption("--saved"))
