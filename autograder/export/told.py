"""What a student may read about each test: taken from their feedback.html, the one place where that is written down.

report.json has the instructor's messages. Moodle's and Gradescope's exports ask here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from autograder.export.graded import Graded

_SECTION = re.compile(r"exercise-(\d+)")
_WHOLE = 0  # what is said of an exercise as a whole


@dataclass
class _Page(HTMLParser):
    """The messages of a feedback page, by exercise and test, both counted from 1; and how many tests each exercise shows."""

    messages: dict[tuple[int, int], list[str]] = field(default_factory=dict)
    tests: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__()
        self.exercise = 0
        self.in_tests = False
        self.depth = 0  # of <div> within a message
        self.in_code = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        named = dict(attributes)
        if tag == "section":
            found = _SECTION.fullmatch(named.get("id") or "")
            self.exercise, self.in_tests = (int(found[1]) if found else 0), False
            if self.exercise:
                self.tests[self.exercise] = 0
        elif tag == "ul" and named.get("class") == "tests":
            self.in_tests = True
        elif tag == "li" and self.in_tests:
            self.tests[self.exercise] += 1
        elif tag == "div" and (self.depth or named.get("class") == "said"):
            self.depth += 1
        elif self.depth and tag == "p":
            self._lines().append("")
        elif self.depth and tag == "code":
            self._add("`")

    def handle_endtag(self, tag: str) -> None:
        if tag == "div" and self.depth:
            self.depth -= 1
        elif tag == "code" and self.depth:
            self._add("`")

    def handle_data(self, data: str) -> None:
        if self.depth:
            self._add(data)

    def _lines(self) -> list[str]:
        return self.messages.setdefault((self.exercise, self.tests.get(self.exercise, 0) if self.in_tests else _WHOLE), [])

    def _add(self, text: str) -> None:
        lines = self._lines()
        if lines:
            lines[-1] += text


@dataclass(frozen=True)
class Told:
    """What a student may read: of each exercise as a whole, and of each test, by their ids."""

    exercises: Mapping[str, str]
    tests: Mapping[tuple[str, str], str]


def told(graded: Graded) -> Told:
    """The messages of a student's feedback page; none where it is not there or is not of this report."""
    exercises: dict[str, str] = {}
    tests: dict[tuple[str, str], str] = {}
    page = _read(graded.folder / "feedback.html")
    reports = graded.report.exercises
    if page is not None and page.tests == {n: len(exercise.tests) for n, exercise in enumerate(reports, 1)}:
        for n, exercise in enumerate(reports, 1):
            exercises[exercise.id] = _text(page, n, _WHOLE)
            for k, test in enumerate(exercise.tests, 1):
                tests[exercise.id, test.id] = _text(page, n, k) or exercises[exercise.id]
    return Told(exercises, tests)


def _read(path: Path) -> _Page | None:
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    page = _Page()
    page.feed(text)
    page.close()
    return page


def _text(page: _Page, exercise: int, test: int) -> str:
    lines = (" ".join(line.split()) for line in page.messages.get((exercise, test), ()))
    return "\n".join(line for line in lines if line)
