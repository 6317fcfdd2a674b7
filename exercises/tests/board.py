"""The board at the end of a run: a line for each exercise that was tested, and what to do next."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from .course import TITLES
from .hints import hint_lines
from .language import say

RIGHT, WRONG, TO_DO, NOT_RUN = "right", "wrong", "to do", "not run"

STATUS = "self-check"  # the name under which a test's report says that it is to do, or was not run
TITLE = "title"  # and the one under which it says what the test is called

_VERDICTS = {"passed": RIGHT, "failed": WRONG, "error": WRONG, WRONG: WRONG, TO_DO: TO_DO, NOT_RUN: NOT_RUN}


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
    stubs: dict[str, tuple[str, str]] = field(default_factory=dict)  # exercise -> the first stub that its tests met, and whose it is

    def collected(self, exercise: str, test: str) -> None:
        """A test that this run is about."""
        self.verdicts.setdefault(exercise, {})[test] = NOT_RUN

    def ran(self, test: str, category: str) -> None:
        """A test's report, by pytest's category. A test that failed once, in its set-up too, stays wrong."""
        for tests in self.verdicts.values():
            if test in tests and category in _VERDICTS and tests[test] != WRONG:
                tests[test] = _VERDICTS[category]

    def met_stub(self, exercise: str, name: str, owner: str) -> None:
        """A test of an exercise met a stub; `owner` is the exercise that the stub is of."""
        self.stubs.setdefault(exercise, (name, owner or exercise))

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


def show(results: Results, terminal: Terminal, tests: Path, here: Path, *, hints: int = 0, saved: str | None = None) -> None:
    """Write the board.

    tests: the folder of the visible tests; here: where pytest was started. hints: how often `--hint` was given. saved: in a run of
    `--watch` the exercise that was saved last, empty where that is none or several.
    """
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
    for line in next_step(results, tests, here, hints, saved):
        terminal.write_line(line)


def next_step(results: Results, tests: Path, here: Path, hints: int = 0, saved: str | None = None) -> list[str]:
    """What to do after this run: the exercise to go on with, the file to edit, the command to run, a hint where one is asked for.

    That is the saved one while it is not done, else the first that is not; or an earlier one whose stub it calls.
    """
    exercises = [saved, *results.in_order()] if saved in results.verdicts else results.in_order()
    unfinished = next((e for e in exercises if results.status(e) != RIGHT), None)
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
    to_do = results.status(unfinished) == TO_DO
    stub, target = results.stubs.get(unfinished, ("", unfinished)) if to_do else ("", unfinished)
    what = target if target == unfinished else say(f"{target}, which {unfinished} calls", f"{target}（{unfinished} 要调用它）")
    module = _from_here(tests.parent / f"{target}.py", here)
    command = f"pytest {_from_here(tests / f'test_{target}.py', here)}"
    edit = [say(f"Next: {what}. Edit {module}, then run", f"下一步：{what}。编辑 {module}，然后运行"), f"    {command}"]
    edit_and_save = [say(f"Next: {what}. Edit {module} and save it.", f"下一步：{what}。编辑 {module} 并保存。")]
    return [
        *(edit if saved is None else edit_and_save),
        *(hint_lines(hints, target, stub) if to_do else []),
        *_more_hints(hints),
    ]


def _more_hints(hints: int) -> list[str]:
    """How to get the step of the hints that was not asked for yet."""
    return [
        say("For a hint add --hint.", "想要提示，请加上 --hint。"),
        say("To be told where to read add --hint once more.", "想知道该读哪里，请再加一个 --hint。"),
    ][hints : hints + 1]


def _from_here(path: Path, here: Path) -> str:
    try:
        shown = os.path.relpath(path, here)
    except ValueError:  # another drive on Windows
        shown = str(path)
    return f'"{shown}"' if " " in shown else shown


def display_width(text: str) -> int:
    """Columns that a text takes in a terminal: Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
