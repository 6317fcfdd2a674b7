"""The board at the end of a run: a line for each exercise that was tested, and what to do next."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from .course import TITLES
from .language import say

RIGHT, WRONG, TO_DO, NOT_RUN = "right", "wrong", "to do", "not run"

STATUS = "self-check"  # the name under which a test's report says that it is to do, or was not run
TITLE = "title"  # and the one under which it says what the test is called

_VERDICTS = {"passed": RIGHT, "failed": WRONG, "error": WRONG, TO_DO: TO_DO, NOT_RUN: NOT_RUN}


def status_of(properties: Iterable[tuple[str, object]]) -> str | None:
    """What a report's properties say of its test: to do, not run, or nothing, where pytest's own outcome holds."""
    status = dict(properties).get(STATUS)
    return None if status is None else str(status)


class Terminal(Protocol):
    """What the board needs of pytest's terminal reporter. Colours appear only where the output is a terminal."""

    def write_sep(self, sep: str, title: str | None = None, fullwidth: int | None = None, **markup: bool) -> None: ...
    def write_line(self, line: str, **markup: bool) -> None: ...


@dataclass
class Results:
    """What became of each collected test: exercise -> test -> right, wrong, to do, not run."""

    verdicts: dict[str, dict[str, str]] = field(default_factory=dict)

    def collected(self, exercise: str, test: str) -> None:
        """A test that this run is about."""
        self.verdicts.setdefault(exercise, {})[test] = NOT_RUN

    def ran(self, test: str, category: str) -> None:
        """A test's report, by pytest's category. A test that failed once, in its set-up too, stays wrong."""
        for tests in self.verdicts.values():
            if test in tests and category in _VERDICTS and tests[test] != WRONG:
                tests[test] = _VERDICTS[category]

    def status(self, exercise: str) -> str:
        """The exercise as a whole: one wrong test makes it wrong, else one that is to do, to do."""
        verdicts = self.verdicts[exercise].values()
        return next((status for status in (WRONG, TO_DO, NOT_RUN) if status in verdicts), RIGHT)

    def right(self, exercise: str) -> int:
        """How many tests of the exercise passed."""
        return sum(verdict == RIGHT for verdict in self.verdicts[exercise].values())

    def in_order(self) -> list[str]:
        """The exercises of this run in the order of the course."""
        return [exercise for exercise in TITLES if exercise in self.verdicts]


def status_in_words(status: str) -> str:
    """A status as the board shows it."""
    return {
        RIGHT: say("done", "完成"),
        WRONG: say("wrong", "有误"),
        TO_DO: say("to do", "待完成"),
        NOT_RUN: say("not run", "未运行"),
    }[status]


def show(results: Results, terminal: Terminal, tests: Path, here: Path) -> None:
    """Write the board. tests: the folder of the visible tests; here: where pytest was started."""
    exercises = results.in_order()
    if all(results.status(exercise) == NOT_RUN for exercise in exercises):
        return
    titles = {exercise: str(TITLES[exercise]) for exercise in exercises}
    id_width, title_width = max(map(len, exercises)), max(map(display_width, titles.values()))
    terminal.write_sep("=", say("your exercises", "练习进度"))
    for exercise in exercises:
        status, total = results.status(exercise), len(results.verdicts[exercise])
        title = titles[exercise] + " " * (title_width - display_width(titles[exercise]))
        count = say(f"{results.right(exercise):>2} of {total:>2} right", f"{total:>2} 项中 {results.right(exercise):>2} 项正确")
        terminal.write_line(
            f"{exercise:<{id_width}}  {title}  {count}   {status_in_words(status)}", green=status == RIGHT, red=status == WRONG
        )
    terminal.write_line("")
    for line in next_step(results, tests, here):
        terminal.write_line(line)


def next_step(results: Results, tests: Path, here: Path) -> list[str]:
    """What to do after this run: the first exercise that is not done, the file to edit, the command to run."""
    unfinished = next((e for e in results.in_order() if results.status(e) != RIGHT), None)
    if unfinished is None:
        everything = set(results.verdicts) >= set(TITLES)
        return [
            say("Everything here is right.", "这里的测试全部正确。")
            + (
                say(" You can hand in; README.md says how.", "可以提交了，提交方法见 README.md。")
                if everything
                else say(" To see the other exercises run: pytest", "要查看其他练习，请运行：pytest")
            )
        ]
    module = _from_here(tests.parent / f"{unfinished}.py", here)
    command = f"pytest {_from_here(tests / f'test_{unfinished}.py', here)}"
    return [
        say(f"Next: {unfinished}. Edit {module}, then run", f"下一步：{unfinished}。编辑 {module}，然后运行"),
        f"    {command}",
    ]


def _from_here(path: Path, here: Path) -> str:
    try:
        shown = os.path.relpath(path, here)
    except ValueError:  # another drive on Windows
        shown = str(path)
    return f'"{shown}"' if " " in shown else shown


def display_width(text: str) -> int:
    """Columns that a text takes in a terminal: Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
