"""How a hidden test gets its fixtures: which functions are called, in which order, to make a test's arguments.

pytest's own way works for fixtures of every kind, and takes longer than most hidden tests. Nearly all fixtures here are plain
functions that are made anew for each test: what pytest found out about them is put into a `Plan`, which calls them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest


@dataclass(frozen=True)
class Step:
    """One argument: what makes it, and of which other arguments."""

    name: str
    make: Callable[..., Any]
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """The arguments that a test has by itself, and the steps that make the others."""

    given: dict[str, Any]
    steps: tuple[Step, ...]
    arguments: tuple[str, ...]

    def run(self, test: Callable[..., object]) -> None:
        """Make the arguments, then run the test."""
        values = dict(self.given)
        for step in self.steps:
            values[step.name] = step.make(**{name: values[name] for name in step.arguments})
        test(**{name: values[name] for name in self.arguments})


def plan_of(item: pytest.Function) -> Plan | None:
    """The plan of a test; None where one of its fixtures is more than a plain function, so that pytest itself must make it."""
    item._initrequest()
    given: dict[str, Any] = {"request": item._request}
    steps: dict[str, Step] = {}

    def add(name: str) -> bool:
        if name in given or name in steps:
            return True
        definitions = item._fixtureinfo.name2fixturedefs.get(name)
        if not definitions:
            return False
        definition = definitions[-1]
        if definition.func.__name__ == "get_direct_param_fixture_func":  # a value of @pytest.mark.parametrize
            given[name] = item.callspec.params[name]
            return True
        plain = not (inspect.isgeneratorfunction(definition.func) or inspect.iscoroutinefunction(definition.func) or definition.params)
        if not plain or definition.scope != "function" or not all(map(add, definition.argnames)):
            return False
        steps[name] = Step(name, definition.func, tuple(definition.argnames))
        return True

    arguments = tuple(item._fixtureinfo.argnames)
    if not all(map(add, item._fixtureinfo.names_closure)):
        return None
    return Plan(given, tuple(steps.values()), arguments)
