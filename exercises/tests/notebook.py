"""The self-check inside a notebook: `check("softmax")` runs the tests of exercises/tests on what you wrote in the cells."""

from __future__ import annotations

import contextlib
import inspect
import io
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from .board import TITLE, TO_DO, status_of
from .course import TITLES
from .hints import hint_lines
from .language import language, say, speaking

TESTS = Path(__file__).resolve().parent

NAMESPACE = pytest.StashKey[SimpleNamespace]()

# Only what the tests need: a run takes a fraction of a second, and plugins of the notebook's own environment stay out of it.
_WITHOUT = ("cacheprovider", "faulthandler", "logging", "warnings", "unraisableexception", "threadexception", "doctest", "junitxml")


class NotRightYet(Exception):
    """An exercise is wrong or still to do. Jupyter shows the message alone: the traceback would lead through the kit."""

    def _render_traceback_(self) -> list[str]:
        return str(self).splitlines()


@dataclass
class _Verdicts:
    """A pytest plugin: hands the notebook's names to the tests and keeps what became of each."""

    names: SimpleNamespace
    right: list[str] = field(default_factory=list)
    wrong: list[tuple[str, str]] = field(default_factory=list)  # title, message
    to_do: list[str] = field(default_factory=list)  # a function or method per test that met a stub

    def pytest_configure(self, config: pytest.Config) -> None:
        config.stash[NAMESPACE] = self.names

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        title = str(dict(report.user_properties).get(TITLE, report.nodeid))
        if status_of(report.user_properties) == TO_DO:
            self.to_do.append(str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else title)
        elif report.failed:
            self.wrong.append((title, report.longreprtext))
        elif report.when == "call":
            self.right.append(title)


def check(exercise: str, names: Mapping[str, Any] | None = None, lang: str | None = None, hint: int = 0) -> None:
    """Run the visible tests of `exercise` on the functions and classes defined in this notebook, and say what holds.

    names: where they are defined, by default the notebook (outside a notebook: the caller's globals).
    lang: of the messages, "en" or "zh"; None is AUTOGRADER_LANG's, else English.
    hint: 1 adds a question to what is wrong or to do, 2 also where to read about it.
    Raises: NotRightYet, with the reasons in words, where something is wrong or to do; ValueError where there is no such exercise.
    """
    names = names if names is not None else _notebook_names()
    with speaking(lang or language()):
        _check(exercise, names, hint)


def _check(exercise: str, names: Mapping[str, Any], hint: int) -> None:
    if exercise not in TITLES:
        raise ValueError(say(f"no exercise {exercise!r}; there are: ", f"没有练习 {exercise!r}；现有练习：") + ", ".join(TITLES))
    verdicts = _Verdicts(SimpleNamespace(**names))
    _run(exercise, verdicts, hint)

    total = len(verdicts.right) + len(verdicts.wrong) + len(verdicts.to_do)
    right = len(verdicts.right)
    print(str(TITLES[exercise]) + say(f": {right} of {total} right", f"：{total} 项中 {right} 项正确"))
    for title in verdicts.right:
        print(say(f"  right: {title}", f"  正确：{title}"))
    if verdicts.wrong or verdicts.to_do:
        raise NotRightYet("\n".join(_reasons(exercise, verdicts, hint)))


def _notebook_names() -> Mapping[str, Any]:
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is not None:
        return dict(shell.user_ns)
    frame = inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__") == __name__:
        frame = frame.f_back
    return dict(frame.f_globals) if frame is not None else {}


def _run(exercise: str, verdicts: _Verdicts, hint: int) -> None:
    args = [str(TESTS / f"test_{exercise}.py"), f"--rootdir={TESTS.parent.parent}", "-o", "addopts=", "--capture=sys", "--assert=plain"]
    args += [arg for name in _WITHOUT for arg in ("-p", f"no:{name}")] + ["--hint"] * hint
    unread = io.StringIO()
    with _plain_pytest(), contextlib.redirect_stdout(unread), contextlib.redirect_stderr(unread):
        code = pytest.main(args, plugins=[verdicts])
    if code == pytest.ExitCode.INTERRUPTED:
        raise KeyboardInterrupt
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise RuntimeError(f"the tests of {exercise} did not run:\n{unread.getvalue()}")


@contextlib.contextmanager
def _plain_pytest() -> Iterator[None]:
    """Within this block pytest loads no plugins of the environment and no options of the user's."""
    settings = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    before = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _reasons(exercise: str, verdicts: _Verdicts, hint: int) -> Iterator[str]:
    for title, message in verdicts.wrong:
        yield say(f"Wrong: {title}", f"有误：{title}")
        yield from (f"    {line}" for line in message.splitlines())
    if verdicts.to_do:
        stubs = dict.fromkeys(verdicts.to_do)
        yield say(f"To do: {', '.join(stubs)}", f"待完成：{'、'.join(stubs)}")
        yield from (f"    {line}" for line in hint_lines(hint, exercise, next(iter(stubs))))
    yield say("Change the cell above, run it, then run this one again.", "请修改上面的单元格并运行，然后再运行本单元格。")
