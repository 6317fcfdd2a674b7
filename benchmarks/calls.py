"""The calls of the hidden tests, made again: without a test for the floor, with a plain assert each for the peers.

    python calls.py calls.pickle FOLDER EXERCISE...        import FOLDER/exercises/<EXERCISE>.py and make its calls

Needs NumPy and nothing of the kit's: it lies beside the peers' notebooks, and floor.py starts it in a fresh interpreter.
recording.py writes the file that it reads.
"""

from __future__ import annotations

import importlib
import pickle
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

ANSWERS = "answers of a function that the test passes in"  # the one key of what stands for such a function
RELATIVE_TOLERANCE = 1e-5  # as autograder/expect.py has it

Step = tuple[Any, ...]  # kind, what it is about, and for a call its arguments and what the reference returned
Test = tuple[str, float, list[Step]]  # its name, its points, its steps


def load(path: str | Path) -> dict[str, list[Test]]:
    """The recorded tests by exercise."""
    with open(path, "rb") as file:
        recorded: dict[str, list[Test]] = pickle.load(file)
    return recorded


def make(steps: Sequence[Step], namespace: Mapping[str, Any], check: Callable[[Any, Any], object] | None = None) -> None:
    """Make the calls of one test with the functions and classes in `namespace`. check: is given each answer and the right one."""
    objects: dict[int, Any] = {}
    for kind, *facts in steps:
        match kind:
            case "call" | "measure":
                name, args, kwargs, want = facts
                outcome(namespace[name], args, kwargs, want, check if kind == "call" else None)
            case "construct":
                number, name, args, kwargs = facts
                objects[number] = namespace[name](*args, **kwargs)
            case "method":
                number, name, args, kwargs, want = facts
                outcome(attribute(objects[number], name), args, kwargs, want, check)
            case "get":
                number, path, want = facts
                found = attribute(objects[number], path)
                if check is not None and want is not None:
                    check(found, want)
            case "set":
                number, path, value = facts
                outer, _, name = path.rpartition(".")
                setattr(attribute(objects[number], outer), name, value)
            case "value":
                name, want = facts
                if check is not None:
                    check(namespace[name], want)


def outcome(function: Callable[..., Any], args: Any, kwargs: Any, want: Any, check: Callable[[Any, Any], object] | None) -> None:
    """One call. want: ("ok", value) or ("raised", the name of the exception)."""
    functions = [callback(value) for value in args]
    named = {name: callback(value) for name, value in kwargs.items()}
    try:
        value = function(*functions, **named)
    except Exception as error:
        if want[0] != "raised":
            raise
        if check is not None and want[1] not in [cls.__name__ for cls in type(error).__mro__]:
            raise AssertionError(f"{type(error).__name__} was raised instead of {want[1]}") from error
    else:
        if check is not None:
            assert want[0] == "ok", f"no {want[1]} was raised"
            check(value, want[1])


def callback(value: Any) -> Any:
    """An argument as the test passes it: a function that gives its recorded answers one after the other."""
    if not (isinstance(value, dict) and ANSWERS in value):
        return value
    answers = iter(value[ANSWERS])
    return lambda *args, **kwargs: next(answers)


def attribute(thing: Any, path: str) -> Any:
    """`thing.encoder_lstm.W`; the thing itself where the path is empty."""
    for name in path.split(".") if path else ():
        thing = getattr(thing, name)
    return thing


def same(got: Any, want: Any) -> None:
    """The plain assert: `got` is `want`, numbers within the kit's tolerance."""
    if isinstance(want, dict):
        for key in want:
            same(got[key], want[key])
    elif isinstance(want, (tuple, list)):
        assert len(got) == len(want)
        for one, other in zip(got, want, strict=True):
            same(one, other)
    elif want is None or isinstance(want, str):
        assert got == want
    else:
        numbers, wanted = np.asarray(got), np.asarray(want)
        assert numbers.shape == wanted.shape
        if wanted.dtype.kind == "b":
            assert numbers.dtype.kind == "b" and (numbers == wanted).all()
        else:
            tolerance = RELATIVE_TOLERANCE * max(1.0, float(np.abs(wanted).max(initial=0.0)))
            assert (np.abs(numbers.astype(float) - wanted) <= tolerance).all()


def earned(exercise: str, namespace: Mapping[str, Any]) -> float:
    """The points of the tests of one exercise that pass: what a cell of nbgrader's gives as partial credit."""
    points = 0.0
    for name, worth, steps in beside()[exercise]:
        try:
            make(steps, namespace, same)
        except Exception as error:
            print(f"{name}: {type(error).__name__} {error}")
        else:
            points += worth
    return points


@cache
def beside() -> dict[str, list[Test]]:
    """The recorded tests in the file beside this one."""
    return load(Path(__file__).with_name("calls.pickle"))


def main(recorded: str, folder: str, *exercises: str) -> None:
    """The floor: import each exercise's module and make its calls."""
    sys.path.insert(0, folder)
    tests = load(recorded)
    for exercise in exercises:
        module = importlib.import_module(f"exercises.{exercise}")
        for _, _, steps in tests[exercise]:
            make(steps, vars(module))


if __name__ == "__main__":
    main(*sys.argv[1:])
