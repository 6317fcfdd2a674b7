"""Answers what comes back out of the jail: calls of earlier exercises, and of functions that a test passed in.

Every question is authorised here: an exercise reaches only what it builds on, with arguments of bounded size, and
the texts of errors are fixed, so that nothing but the reference's results goes back in.
"""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from autograder.course import Class, Exercise, Function, find
from autograder.grading.conversation import Answer, Refused
from autograder.grading.kept import Kept
from autograder.grading.reference import parameters_of, reference
from autograder.inside import wire
from autograder.limits import KEPT_ANSWERS

LONGEST_AXIS = 1024
MOST_NUMBERS = 1 << 16  # in one argument
MOST_NUMBERS_INSIDE = 1 << 22  # in what the reference makes of all arguments: 32 MiB
ALLOWED_ERRORS = (ValueError, TypeError, IndexError, KeyError, ZeroDivisionError)


@dataclass(frozen=True)
class Entry:
    """A function that answers a question."""

    function: Callable[..., Any]
    signature: inspect.Signature


class Answers:
    """The questions that one exercise may ask, and their answers. bounds: of what one question may hold.

    The same question has the same answer in every submission, so that answers are kept, up to a bound.
    """

    kept: ClassVar[Kept[tuple[str, bytes], bytes]] = Kept(KEPT_ANSWERS)

    def __init__(self, exercise: Exercise, bounds: wire.Bounds):
        self.exercise, self.bounds = exercise, bounds
        self.entries = _entries(exercise.id)
        self.given: dict[bytes, bytes] = {}  # answers of earlier exercises since the test began

    def declared(self) -> dict[str, dict[str, Any]]:
        """What the jail stands in for: module -> entry point -> its parameters, and a class's methods with theirs."""
        return _declared(self.exercise.id)

    def during(self, functions: Mapping[int, Callable[..., Any]]) -> Answer:
        """The answering function for one request, which passed these functions in."""

        def answer(question: bytes) -> bytes:
            known = self.kept.find((self.exercise.id, question))
            if known is not None:
                self.given[question] = known
                return known
            match wire.decode(question, self.bounds):
                case [wire.FunctionRef(number), tuple(args), dict(kwargs)] if number in functions:
                    function = functions[number]
                    return _evaluate(Entry(function, inspect.signature(function)), args, kwargs, "the function")
                case [str(name), tuple(args), dict(kwargs)] if name in self.entries:
                    body = _evaluate(self.entries[name], args, kwargs, name)
                    self.kept.keep((self.exercise.id, question), body, len(question) + len(body))
                    self.given[question] = body
                    return body
                case [_, tuple(), dict()]:
                    raise Refused("PermissionError", "this exercise does not build on that")
            raise wire.WireError("a question of unknown form")

        return answer


@cache
def _entries(exercise_id: str) -> dict[str, Entry]:
    """What answers for the exercises that this one builds on, by "module.name" and "module.Class.method"."""
    functions: dict[str, Callable[..., Any]] = {}
    for earlier in map(find, find(exercise_id).builds_on):
        for entry in earlier.entry_points:
            thing = getattr(reference(), entry.name)
            if isinstance(entry, Function):
                functions[f"{earlier.module}.{entry.name}"] = thing
            elif isinstance(entry, Class):
                functions[f"{earlier.module}.{entry.name}"] = _constructor(thing)
                for method in entry.methods:
                    functions[f"{earlier.module}.{entry.name}.{method}"] = _method(thing, method)
    return {name: Entry(function, inspect.signature(function)) for name, function in functions.items()}


@cache
def _declared(exercise_id: str) -> dict[str, dict[str, Any]]:
    return {
        earlier.module: {entry.name: _signatures(entry) for entry in earlier.entry_points if isinstance(entry, (Function, Class))}
        for earlier in map(find, find(exercise_id).builds_on)
    }


def _signatures(entry: Function | Class) -> dict[str, Any]:
    thing = getattr(reference(), entry.name)
    if isinstance(entry, Function):
        return {"parameters": parameters_of(thing), "methods": None}
    return {"parameters": parameters_of(thing), "methods": {name: parameters_of(getattr(thing, name))[1:] for name in entry.methods}}


def _evaluate(entry: Entry, args: tuple[Any, ...], kwargs: dict[str, Any], name: str) -> bytes:
    try:
        given = entry.signature.bind(*args, **kwargs).arguments
        if not all(map(_is_small, given.values())) or _numbers_at_most(entry.signature, given) > MOST_NUMBERS_INSIDE:
            raise Refused("ValueError", f"{name}: an argument is too large for these exercises")
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            value = entry.function(*args, **kwargs)
        return wire.encode(value)
    except Refused:
        raise
    except ALLOWED_ERRORS as error:
        kind = next(cls.__name__ for cls in ALLOWED_ERRORS if isinstance(error, cls))
        raise Refused(kind, f"{name}: these arguments do not fit") from None
    except Exception:  # whatever a student's arguments make of the reference is the student's error
        raise Refused("ValueError", f"{name}: these arguments do not fit") from None


def _is_small(value: Any) -> bool:
    """Whether a value by itself is of a size that these exercises have; the reference runs outside the jail, where no limit holds."""
    if isinstance(value, np.ndarray):
        return value.size <= MOST_NUMBERS and max(value.shape, default=0) <= LONGEST_AXIS and value.ndim <= 16
    if isinstance(value, dict):
        return all(map(_is_small, value.values()))
    return not isinstance(value, (list, tuple, str, bytes)) or (len(value) <= LONGEST_AXIS and all(map(_is_small, _items(value))))


def _items(value: Any) -> Any:
    return () if isinstance(value, (str, bytes)) else value


def _numbers_at_most(signature: inspect.Signature, given: Mapping[str, Any]) -> float:
    """How many numbers the largest array can have that the reference makes of these arguments, small ones that broadcast included.

    Of arrays: their leading axes as they broadcast, times the square of the longest of the last two axes, as scores have it, times
    what is counted (n_heads). Without arrays the two largest counts are its axes (n_q, n_k).
    """
    shapes = {shape for value in given.values() for shape in _shapes(value)}
    counts = sorted(_count(signature.parameters[name], value) for name, value in given.items() if name != "seed")
    if not shapes:
        return math.prod(counts[-2:])
    leading = [max(shape[axis] for shape in shapes if len(shape) >= -axis) for axis in range(-max(map(len, shapes)), -2)]
    longest = max((n for shape in shapes for n in shape[-2:]), default=1)
    return math.prod((*leading, longest, longest, *counts))


def _count(parameter: inspect.Parameter, value: Any) -> float:
    """What a parameter that is declared as an integer counts, infinity where it is no small number; 1 for any other."""
    if "int" not in str(parameter.annotation) or value is None or np.size(value) != 1:
        return 1.0
    count = abs(float(np.asarray(value).item()))
    return max(count, 1.0) if count <= LONGEST_AXIS else math.inf


def _shapes(value: Any) -> set[tuple[int, ...]]:
    """The shapes of all arrays in a value, lists of lists included."""
    if isinstance(value, np.ndarray):
        return {value.shape}
    if isinstance(value, dict):
        return {shape for item in value.values() for shape in _shapes(item)}
    if isinstance(value, (list, tuple)):
        return {(len(value), *shape) for item in value for shape in _shapes(item)} or {(len(value),)}
    return set()


def _constructor(cls: type) -> Callable[..., Any]:
    def construct(*args: Any, **kwargs: Any) -> dict[str, Any]:
        return dict(vars(cls(*args, **kwargs)))

    construct.__signature__ = inspect.signature(cls)  # type: ignore[attr-defined]
    return construct


def _method(cls: type, name: str) -> Callable[..., Any]:
    def call(state: dict[str, Any], args: tuple[Any, ...], /, **kwargs: Any) -> tuple[Any, dict[str, Any]]:
        instance: Any = object.__new__(cls)
        instance.__dict__.update(state)
        result = getattr(cls, name)(instance, *args, **kwargs)
        return result, dict(vars(instance))

    return call
