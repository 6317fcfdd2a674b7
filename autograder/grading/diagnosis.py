"""Names the misconception behind a wrong answer: which wrong version would have answered just so?

A wrong answer is compared with what each catalogued misconception gives for the same call; where none does, with what a right
version gives that calls a wrong one of the same exercise, then with two wrong versions at once. The misconception must also have
answered like the student in the other calls of the exercise, right or wrong. Where several are left that explain equally much,
or none, nothing is said rather than something false.
"""

from __future__ import annotations

import copy
import operator
import types
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from autograder.expect import Wrong, as_booleans, as_numbers, tolerance
from autograder.grading.conversation import Unanswered
from autograder.grading.reference import Reference
from autograder.grading.reference import reference as the_reference
from autograder.heatmap_text import BARS
from autograder.misconceptions.catalogue import Misconception, by_id, catalogue, of_target

MOST_PAIRS = 600  # of two misconceptions at once, tried for one wrong answer: less than a tenth of a second
Alike = Callable[[Any, Any], bool]  # compares two answers
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


def same_marks(a: Any, b: Any) -> bool:
    """Whether two drawings show the same signs in the same lines, blanks and bars aside; of other answers, whether they are the same."""
    if not isinstance(a, str) or not isinstance(b, str):
        return same(a, b)
    return _marks(a) == _marks(b)


def _marks(drawing: str) -> list[str]:
    return ["".join(char for char in line if not char.isspace() and char not in BARS) for line in drawing.rstrip().split("\n")]


def candidates(origin: Origin | None, reference: Reference) -> tuple[str, ...]:
    """The ids of the misconceptions that would have answered just so; none where the reference itself would have.

    Two at once name the one of the function that was called: the other is named by the tests of its own function.
    """
    if origin is None or origin.raised:  # code can fail in a thousand ways: an exception is no evidence
        return ()
    own, others = of_target(origin.exercise, origin.target), neighbours(origin.exercise, origin.target)
    if not own and not others:
        return ()
    try:
        attributes = origin.attributes() if origin.steps else {}
    except (Unanswered, Wrong):  # the worker is gone, or the object has not what the exercise asks for
        return ()

    def agrees(*entries: Misconception, alike: Alike = same) -> bool:
        return _agrees(entries, origin, attributes, reference, alike)

    if agrees():
        return ()
    alone = [entry.id for entry in (*own, *others) if agrees(entry)]
    if not alone and isinstance(origin.value, str) and not agrees(alike=same_marks):
        alone = [entry.id for entry in own if agrees(entry, alike=same_marks)]
    if alone or len(own) * len(others) > MOST_PAIRS:
        return tuple(alone)
    return tuple(entry.id for entry in own if any(agrees(entry, other) for other in others))


def _agrees(wrong: Sequence[Misconception], origin: Origin, attributes: dict[str, Any], reference: Reference, alike: Alike) -> bool:
    """Whether wrong versions of some functions or methods, with the reference for the rest, answer a call as the student did."""
    versions = {entry.target: entry.function for entry in wrong}
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            value = _answer(versions, origin, attributes, reference)
    except Exception as error:  # the wrong version fails on this input
        return type(error).__name__ == origin.raised
    return not origin.raised and alike(value, origin.value)


def _answer(versions: Mapping[str, Callable[..., Any]], origin: Origin, attributes: dict[str, Any], reference: Reference) -> Any:
    args, kwargs = copy.deepcopy((origin.args, origin.kwargs))
    class_name, _, method = origin.target.partition(".")
    if not method:
        function = versions.get(class_name) or getattr(reference, class_name)
        called = {getattr(reference, name): version for name, version in versions.items() if name != class_name}
        return calling(function, called)(*args, **kwargs)
    methods = {name.partition(".")[2]: version for name, version in versions.items()}
    twin_class = type(class_name, (getattr(reference, class_name),), methods)
    (_, _, first_args, first_kwargs), *steps = copy.deepcopy(origin.steps)
    twin = twin_class(*first_args, **first_kwargs)
    for path, attribute in attributes.items():
        if np.shape(attribute) != np.shape(operator.attrgetter(path)(twin)):  # and of any size
            raise ValueError(f"{path} has another shape than the lesson's")
        set_by_path(twin, path, attribute)
    for kind, name, step_args, step_kwargs in steps:
        if kind == "set":
            set_by_path(twin, name, *step_args)
        else:
            getattr(twin, name)(*step_args, **step_kwargs)
    return getattr(twin, method)(*args, **kwargs)


def calling(function: Callable[..., Any], versions: Mapping[Callable[..., Any], Callable[..., Any]]) -> Callable[..., Any]:
    """The function as it would be if what it calls were these versions: right function -> the one in its place."""
    if not versions or not isinstance(function, types.FunctionType):
        return function
    space = dict(function.__globals__)
    space.update({name: versions[value] for name, value in space.items() if isinstance(value, types.FunctionType) and value in versions})
    twin = types.FunctionType(function.__code__, space, function.__name__, function.__defaults__, function.__closure__)
    twin.__kwdefaults__ = function.__kwdefaults__
    return twin


@cache
def neighbours(exercise: str, target: str) -> tuple[Misconception, ...]:
    """The entries of what a function calls of its own exercise; of a method, those of the other methods of its class."""
    class_name, _, method = target.partition(".")
    related = [e for e in catalogue() if e.diagnosed and e.exercise == exercise and e.target != target]
    if method:
        return tuple(e for e in related if e.target.startswith(f"{class_name}."))
    called = getattr(getattr(the_reference(), target), "__code__", None)
    return tuple(e for e in related if called is not None and e.target in called.co_names)


def set_by_path(thing: Any, path: str, value: Any) -> None:
    """Set `encoder_lstm.W` of an object."""
    *outer, name = path.split(".")
    for part in outer:
        thing = getattr(thing, part)
    setattr(thing, name, value)


@dataclass(frozen=True)
class Evidence:
    """What one hidden test says about misconceptions: the candidates for its wrong answer, and all calls that it made."""

    candidates: tuple[str, ...] = ()
    target: str = ""  # of the call that was wrong
    calls: Iterable[Origin] = ()


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
    return all(_agrees([entry], call, {}, reference, same_marks) for call in calls)


def _winner(names: Sequence[str], votes: Counter[str]) -> str | None:
    best = max((votes[name] for name in names), default=0)
    winners = [name for name in names if votes[name] == best]
    return winners[0] if len(winners) == 1 else None
