"""The catalogue of misconceptions: how an entry is written, the list of all, and an entry as a student's module.

An entry is a wrong version of one function or method, under a name that says what is wrong:

    @wrong("softmax", "Along which axis must the weights add up to 1?", "权重沿哪个轴加起来等于 1？")
    def over_the_whole_array(x, axis=-1):
        \"\"\"One sum for all rows.\"\"\"
        ...

Its id is `<exercise>.<name>`. A module here imports NumPy and `from solutions.<exercise> import ...`, nothing else.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from autograder import misconceptions
from autograder.course import COURSE, Exercise, Value, find
from autograder.language import Text

F = TypeVar("F", bound=Callable[..., Any])
MARK = "_misconception"


@dataclass(frozen=True)
class Misconception:
    """One wrong version. target: the entry point, "softmax", or a method, "SelfAttention.forward".

    Where the target is a plain value, "ANSWERS", the function takes no arguments and returns the wrong value.

    diagnosed: False where no single answer shows it (random start values, say), so that it only proves the graders.
    """

    id: str
    exercise: str
    target: str
    hint: Text
    about: str
    function: Callable[..., Any]
    diagnosed: bool = True

    def as_module(self, solution: str, *, earlier: str = "exercises") -> str:
        """The module of a student who got just this wrong.

        solution: the exercise's reference, as text. earlier: the package that earlier exercises are imported from.
        """
        own = inspect.getsource(inspect.getmodule(self.function))  # type: ignore[arg-type]
        own = own.replace("from __future__ import annotations\n", "")
        own = own.replace(f"from {__name__} import wrong\n", "\n\ndef wrong(*facts, **more):\n    return lambda function: function\n")
        plain = isinstance(find(self.exercise).entry_point(self.target.partition(".")[0]), Value)
        text = f"{solution}\n\n{own}\n\n{self.target} = {self.function.__name__}{'()' if plain else ''}\n"
        return text.replace("from solutions.", f"from {earlier}.")


def wrong(target: str, en: str, zh: str, *, diagnosed: bool = True) -> Callable[[F], F]:
    """Enter a wrong version of `target` into the catalogue, with a hint (best a question) that does not give the answer away."""

    def enter(function: F) -> F:
        setattr(function, MARK, (target, Text(en, zh), diagnosed))
        return function

    return enter


@cache
def catalogue() -> tuple[Misconception, ...]:
    """Every entry, in the course's order."""
    there = {module.name for module in pkgutil.iter_modules(misconceptions.__path__)}
    return tuple(entry for exercise in COURSE if exercise.id in there for entry in _entries(exercise))


def _entries(exercise: Exercise) -> list[Misconception]:
    module = importlib.import_module(f"{misconceptions.__name__}.{exercise.id}")
    found = []
    for name, function in vars(module).items():
        if hasattr(function, MARK) and function.__module__ == module.__name__:
            target, hint, diagnosed = getattr(function, MARK)
            about = inspect.getdoc(function) or ""
            found.append(Misconception(f"{exercise.id}.{name}", exercise.id, target, hint, about, function, diagnosed))
    return found


@cache
def by_id() -> dict[str, Misconception]:
    """Every entry by its id."""
    return {entry.id: entry for entry in catalogue()}


@cache
def of_target(exercise: str, target: str) -> tuple[Misconception, ...]:
    """The entries that an answer of this function or method is compared with."""
    return tuple(e for e in catalogue() if e.exercise == exercise and e.target == target and e.diagnosed)
