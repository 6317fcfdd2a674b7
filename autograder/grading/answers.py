"""Answers what comes back out of the jail: calls of earlier exercises, and of functions that a test passed in.

Every question is authorised here: an exercise reaches only what it builds on, with arguments of bounded size, and
the texts of errors are fixed, so that nothing but the reference's results goes back in.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.course import Class, Exercise, Function, find
from autograder.grading.conversation import Refused
from autograder.grading.reference import Reference, parameters_of
from autograder.inside import wire

LONGEST_AXIS = 1024
MOST_NUMBERS = 1 << 16
ALLOWED_ERRORS = (ValueError, TypeError, IndexError, KeyError, ZeroDivisionError)


class Answers:
    """The questions that one exercise may ask, and their answers."""

    def __init__(self, exercise: Exercise, reference: Reference):
        self.exercise, self.reference = exercise, reference
        self.entries: dict[str, Callable[..., Any]] = {}
        for earlier in map(find, exercise.builds_on):
            for entry in earlier.entry_points:
                thing = getattr(reference, entry.name)
                if isinstance(entry, Function):
                    self.entries[f"{earlier.module}.{entry.name}"] = thing
                elif isinstance(entry, Class):
                    self.entries[f"{earlier.module}.{entry.name}"] = _constructor(thing)
                    for method in entry.methods:
                        self.entries[f"{earlier.module}.{entry.name}.{method}"] = _method(thing, method)

    def declared(self) -> dict[str, dict[str, Any]]:
        """What the jail stands in for: module -> entry point -> its parameters, and a class's methods with theirs."""
        return {
            earlier.module: {entry.name: self._signatures(entry) for entry in earlier.entry_points if isinstance(entry, (Function, Class))}
            for earlier in map(find, self.exercise.builds_on)
        }

    def _signatures(self, entry: Function | Class) -> dict[str, Any]:
        thing = getattr(self.reference, entry.name)
        if isinstance(entry, Function):
            return {"parameters": parameters_of(thing), "methods": None}
        return {"parameters": parameters_of(thing), "methods": {name: parameters_of(getattr(thing, name))[1:] for name in entry.methods}}

    def during(self, functions: dict[int, Callable[..., Any]]) -> Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]:
        """The answering function for one request, which passed these functions in."""

        def answer(what: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            if isinstance(what, wire.FunctionRef):
                function = functions.get(what.number)
            else:
                function = self.entries.get(what) if isinstance(what, str) else None
            if function is None:
                raise Refused("PermissionError", "this exercise does not build on that")
            return _evaluate(function, args, kwargs, what if isinstance(what, str) else "the function")

        return answer


def _evaluate(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], name: str) -> Any:
    try:
        _check_size(inspect.signature(function).bind(*args, **kwargs).arguments, name)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            value = function(*args, **kwargs)
        wire.encode(value)
        return value
    except ALLOWED_ERRORS as error:
        kind = next(cls.__name__ for cls in ALLOWED_ERRORS if isinstance(error, cls))
        raise Refused(kind, f"{name}: these arguments do not fit") from None
    except Exception:  # whatever a student's arguments make of the reference is the student's error
        raise Refused("ValueError", f"{name}: these arguments do not fit") from None


def _check_size(value: Any, name: str) -> None:
    """Refuse what could make the reference, which runs outside the jail, use much memory or time."""
    if isinstance(value, np.ndarray):
        if value.size > MOST_NUMBERS or max(value.shape, default=0) > LONGEST_AXIS or value.ndim > 16:
            raise Refused("ValueError", f"{name}: an argument is too large for these exercises")
    elif isinstance(value, (list, tuple)):
        if len(value) > LONGEST_AXIS:
            raise Refused("ValueError", f"{name}: an argument is too large for these exercises")
        for item in value:
            _check_size(item, name)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key != "seed":
                _check_size(item, name)
    elif isinstance(value, (int, np.integer)) and abs(int(value)) > LONGEST_AXIS:
        raise Refused("ValueError", f"{name}: an argument is too large for these exercises")


def _constructor(cls: type) -> Callable[..., Any]:
    def construct(*args: Any, **kwargs: Any) -> dict[str, Any]:
        return dict(vars(cls(*args, **kwargs)))

    construct.__signature__ = inspect.signature(cls)  # type: ignore[attr-defined]
    return construct


def _method(cls: type, name: str) -> Callable[..., Any]:
    def call(given: Any, **kwargs: Any) -> tuple[Any, dict[str, Any]]:
        state, args = given
        instance: Any = object.__new__(cls)
        instance.__dict__.update(state)
        result = getattr(cls, name)(instance, *args, **kwargs)
        return result, dict(vars(instance))

    return call
