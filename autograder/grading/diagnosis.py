"""Names the misconception behind a wrong answer: which wrong version would have answered just so?

A wrong answer is compared with what each catalogued misconception gives for the same call. The misconception must also have
answered like the student in the other calls of the exercise, right or wrong. Where several are left that explain equally much,
or none, nothing is said rather than something false.
"""

from __future__ import annotations

import copy
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.expect import Wrong, as_booleans, as_numbers, tolerance
from autograder.grading.conversation import Unanswered
from autograder.grading.reference import Reference
from autograder.misconceptions.catalogue import Misconception, by_id, of_target

Step = tuple[str, str, tuple[Any, ...], dict[str, Any]]  # "construct", "call" or "set"; a name; arguments


@dataclass(frozen=True)
class Origin:
    """The call that a reply came from. steps: for a method, what was done with the object before, its construction first.

    attributes: reads the object's attributes as they are now; random start values are the student's own.
    """

    exercise: str
    target: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    value: Any = None
    raised: str = ""  # the class of the exception that ended it
    steps: tuple[Step, ...] = ()
    attributes: Callable[[], dict[str, Any]] = field(default=dict)


def candidates(origin: Origin | None, reference: Reference) -> tuple[str, ...]:
    """The ids of the misconceptions that would have answered just so; none where the reference itself would have."""
    entries = of_target(origin.exercise, origin.target) if origin is not None else ()
    if origin is None or not entries or origin.raised:  # code can fail in a thousand ways: an exception is no evidence
        return ()
    try:
        attributes = origin.attributes() if origin.steps else {}
    except (Unanswered, Wrong):  # the worker is gone, or the object has not what the exercise asks for
        return ()
    if _agrees(None, origin, attributes, reference):
        return ()
    return tuple(entry.id for entry in entries if _agrees(entry.function, origin, attributes, reference))


def _agrees(wrong: Callable[..., Any] | None, origin: Origin, attributes: dict[str, Any], reference: Reference) -> bool:
    """Whether a wrong version, or None for the reference, answers a call as the student did."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            value = _answer(wrong, origin, attributes, reference)
    except Exception as error:  # the wrong version fails on this input
        return type(error).__name__ == origin.raised
    return not origin.raised and same(value, origin.value)


def _answer(wrong: Callable[..., Any] | None, origin: Origin, attributes: dict[str, Any], reference: Reference) -> Any:
    args, kwargs = copy.deepcopy((origin.args, origin.kwargs))
    class_name, _, method = origin.target.partition(".")
    if not method:
        return (wrong or getattr(reference, class_name))(*args, **kwargs)
    twin_class = type(class_name, (getattr(reference, class_name),), {method: wrong} if wrong is not None else {})
    (_, _, first_args, first_kwargs), *steps = copy.deepcopy(origin.steps)
    twin = twin_class(*first_args, **first_kwargs)
    for path, attribute in attributes.items():
        set_by_path(twin, path, attribute)
    for kind, name, step_args, step_kwargs in steps:
        if kind == "set":
            set_by_path(twin, name, *step_args)
        else:
            getattr(twin, name)(*step_args, **step_kwargs)
    return getattr(twin, method)(*args, **kwargs)


def set_by_path(thing: Any, path: str, value: Any) -> None:
    """Set `encoder_lstm.W` of an object."""
    *outer, name = path.split(".")
    for part in outer:
        thing = getattr(thing, part)
    setattr(thing, name, value)


def same(a: Any, b: Any) -> bool:
    """Whether two answers are the same, NaN included, up to the tolerance of a comparison."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    for read in (as_booleans, as_numbers):
        x, y = read(a), read(b)
        if x is not None and y is not None:
            return x.shape == y.shape and _same_numbers(x.astype(float), y.astype(float))
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and isinstance(a, (str, type(None))) and a == b


def _same_numbers(x: np.ndarray, y: np.ndarray) -> bool:
    with np.errstate(all="ignore"):
        close = np.abs(x - y) <= tolerance(x[np.isfinite(x)])
    return bool(np.all(close | (x == y) | (np.isnan(x) & np.isnan(y))))


@dataclass(frozen=True)
class Evidence:
    """What one hidden test says about misconceptions: the candidates for its wrong answer, and all calls that it made."""

    candidates: tuple[str, ...] = ()
    target: str = ""  # of the call that was wrong
    calls: tuple[Origin, ...] = ()


NOTHING = Evidence()


def decide(tests: Sequence[Evidence], reference: Reference) -> list[str | None]:
    """For each test of one exercise the misconception to name: the one of its candidates that explains the most tests."""
    possible = {name for test in tests for name in test.candidates}
    likely = {name for name in possible if _fits(by_id()[name], tests, reference)}
    votes = Counter(name for test in tests for name in test.candidates if name in likely)
    return [_winner([name for name in test.candidates if name in likely], votes) for test in tests]


def _fits(entry: Misconception, tests: Sequence[Evidence], reference: Reference) -> bool:
    """Whether it explains every wrong answer of its own function or method, and contradicts no other call of the function."""
    if any(test.target == entry.target and entry.id not in test.candidates for test in tests):
        return False
    calls = (call for test in tests for call in test.calls if call.target == entry.target and not call.steps)
    return all(_agrees(entry.function, call, {}, reference) for call in calls)


def _winner(names: Sequence[str], votes: Counter[str]) -> str | None:
    best = max((votes[name] for name in names), default=0)
    winners = [name for name in names if votes[name] == best]
    return winners[0] if len(winners) == 1 else None
