"""Records the calls that the hidden tests make of a right submission, and what it answers: python -m benchmarks.recording FILE

The tests run as they do for a student, but with a `student` that calls the reference in this process and keeps what was asked.
Each grading that is compared makes these calls, and the floor does.
"""

from __future__ import annotations

import copy
import inspect
import pickle
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

from autograder.course import COURSE, Exercise
from autograder.expect import Raised, Reply
from autograder.grading.reference import reference
from autograder.grading.session import HiddenTests
from autograder.grading.student import Student
from autograder.inside.memory import peak_of
from benchmarks.calls import ANSWERS, Step, Test

SEED = 1  # of the hidden inputs: every measurement grades with it


class Recorder:
    """The `student` of one exercise, with what hidden tests and their session want of it."""

    def __init__(self, exercise: Exercise):
        self._exercise = exercise
        self._steps: list[Step] = []
        self._objects = 0

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        self._exercise.entry_point(name)
        thing = getattr(reference(), name)
        if inspect.isclass(thing):
            return lambda *args, **kwargs: self._construct(name, thing, args, kwargs)
        if callable(thing):
            return RecordedFunction(self._steps, ("call", name), thing)
        self._steps.append(("value", name, copy.deepcopy(thing)))
        return Reply(name, value=thing)

    def _construct(self, name: str, cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> RecordedObject:
        self._objects += 1
        self._steps.append(("construct", self._objects, name, copy.deepcopy(args), copy.deepcopy(kwargs)))
        return RecordedObject(self._steps, self._objects, cls(*args, **kwargs))

    def peak_memory_of(self, name: str, *args: Any, **kwargs: Any) -> Reply:
        """As in Student; the call is kept, what it holds is not asked of anybody else."""
        self._steps.append(("measure", name, copy.deepcopy(args), copy.deepcopy(kwargs), ("ok", None)))
        return Reply(name, value=peak_of(getattr(reference(), name), args, kwargs))

    def outgrows(self, *_: Any) -> bool:
        """As in Student. Not kept: these calls are broken off, which the jail alone can do."""
        return False

    def begin(self, *_: Any) -> None:
        """A test begins."""
        self._steps.clear()

    def is_ahead(self) -> bool:
        """Nothing is asked ahead."""
        return False

    def settle(self) -> None:
        """Nothing waits."""

    def end(self, passed: bool) -> tuple[()]:
        """There is nothing to diagnose."""
        return ()


class RecordedFunction:
    """A function or method of the reference. target: what it is in a step."""

    def __init__(self, steps: list[Step], target: tuple[Any, ...], function: Callable[..., Any]):
        self.steps, self.target, self.function = steps, target, function

    def __call__(self, *args: Any, **kwargs: Any) -> Reply:
        """Call it, and keep arguments and result."""
        given, kept = zip(*map(passed, args), strict=True) if args else ((), ())
        named = {name: passed(value) for name, value in kwargs.items()}
        reply, want = self._reply(given, {name: given for name, (given, _) in named.items()})
        self.steps.append((*self.target, kept, {name: kept for name, (_, kept) in named.items()}, want))
        return reply

    def _reply(self, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[Reply, tuple[str, Any]]:
        called = str(self.target)
        try:
            value = self.function(*args, **kwargs)
        except Exception as error:
            return Reply(called, raised=Raised(tuple(cls.__name__ for cls in type(error).__mro__))), ("raised", type(error).__name__)
        return Reply(called, value=value), ("ok", copy.deepcopy(value))

    def each(self, many: Sequence[tuple[Any, ...]], **kwargs: Any) -> list[Reply]:
        """As in Student."""
        return [self(*args, **kwargs) for args in many]


class RecordedObject:
    """An object of a class of the reference. path: where a nested object hangs, "encoder_lstm."."""

    def __init__(self, steps: list[Step], number: int, instance: Any, path: str = ""):
        object.__setattr__(self, "_facts", (steps, number, instance, path))

    def __getattr__(self, name: str) -> Any:
        steps, number, instance, path = self._facts
        thing = getattr(instance, name)
        if callable(thing):
            return RecordedFunction(steps, ("method", number, f"{path}{name}"), thing)
        nested = hasattr(thing, "__dict__")
        steps.append(("get", number, f"{path}{name}", None if nested else copy.deepcopy(thing)))
        return RecordedObject(steps, number, thing, f"{path}{name}.") if nested else Reply(name, value=thing)

    def __setattr__(self, name: str, value: Any) -> None:
        steps, number, instance, path = self._facts
        steps.append(("set", number, f"{path}{name}", copy.deepcopy(value)))
        setattr(instance, name, copy.deepcopy(value))


def passed(value: Any) -> tuple[Any, Any]:
    """An argument as the call gets it, and as it is kept. Of a function that a test passes in, its answers are kept."""
    if not callable(value):
        return value, copy.deepcopy(value)
    answers: list[Any] = []

    def answering(*args: Any, **kwargs: Any) -> Any:
        answers.append(copy.deepcopy(value(*args, **kwargs)))
        return copy.deepcopy(answers[-1])

    return answering, {ANSWERS: answers}


def record() -> dict[str, list[Test]]:
    """The tests of all exercises with their points and steps."""
    hidden, found = HiddenTests(), dict[str, list[Test]]()
    for exercise in COURSE:
        recorder = Recorder(exercise)
        for outcome in hidden.run(exercise, cast(Student, recorder), SEED):
            if outcome.status != "passed":
                raise RuntimeError(f"{exercise.id}/{outcome.test}: {outcome.status} {outcome.told} {outcome.detail}")
            found.setdefault(exercise.id, []).append((outcome.test, float(outcome.rubric.points), [*recorder._steps]))
    return found


def main() -> None:
    """Record, and write what was asked."""
    Path(sys.argv[1]).write_bytes(pickle.dumps(record(), protocol=5))


if __name__ == "__main__":
    main()
