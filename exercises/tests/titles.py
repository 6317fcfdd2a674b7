"""What a test is called where a student reads of it: its name in words, or the Chinese title that it carries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .language import say

Test = TypeVar("Test", bound=Callable[..., Any])

_TITLE = "chinese_title"


def chinese(title: str) -> Callable[[Test], Test]:
    """`@chinese("每一行加起来等于 1")` above a test: what its name says, in Chinese."""

    def carry(test: Test) -> Test:
        setattr(test, _TITLE, title)
        return test

    return carry


def title_of(name: str, test: object = None) -> str:
    """A test as a sentence: `test_rows_add_up_to_one[3-4]` -> rows add up to one [3-4]; in Chinese the title of `test`."""
    name, bracket, parameters = name.partition("[")
    words = name.removeprefix("test_").replace("_", " ")
    return say(words, getattr(test, _TITLE, words)) + (f" [{parameters}" if bracket else "")
