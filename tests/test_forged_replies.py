"""Replies that no honest worker sends, to the hidden tests of every exercise: whatever stands in them is the student's loss.

The worker is left out: what the wire can carry is made up here, half of it from right answers, and handed to the tests.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from autograder.course import COURSE, Exercise
from autograder.grading.answers import Answers
from autograder.grading.grader import report_of
from autograder.grading.reference import reference
from autograder.grading.run import Budget, Code, Functions, Run, Step
from autograder.grading.session import HiddenTests
from autograder.grading.student import Student
from autograder.inside import wire
from autograder.limits import DEFAULT

ROUNDS = 3
SHAPES = [(), (0,), (1,), (3,), (3, 3), (2, 3), (4, 2, 3), (5, 0, 3), (16,), (0, 2**39), (1,) * 32]
NUMBERS = [0.0, -0.0, 1.0, 0.5, float("nan"), float("inf"), -1e308, 5e-324]
INTEGERS = [0, 1, -1, 2**63, 2**64 - 1, -(2**63), 2**4000, -(2**200), True, False]
TEXTS = ["", "a", "\n" * 50, "x" * 2000, "\0", "日本 █\n█", "0.5", " ░▒▓█"]
SCALARS = [np.float64(0.5), np.int8(3), np.bool_(True), np.float16("nan"), np.float32("inf"), np.uint64(2**64 - 1)]
OTHERS = [None, b"bytes", wire.Handle(0), wire.Handle(2**32 - 1), wire.FunctionRef(7)]
KEYS = ["weights_a", "weights_b", "entropy_a", "entropy_b", "divergence", "same_top_key", "query", "scaling", "", 1, -5]
KINDS = ["ValueError", "TypeError", "Exception", "NotImplementedError", "Of My Own", ""]


class ForgedRun(Run):
    """A run whose worker replies whatever it likes."""

    def __init__(self, exercise: Exercise, chance: random.Random):
        answers = Answers(exercise, wire.Bounds(DEFAULT.answer, DEFAULT.depth, DEFAULT.containers))
        super().__init__(exercise, Code({}), no_worker, answers, DEFAULT, Budget(120.0))
        self._chance = chance

    def ready(self) -> None:
        pass

    def requests(
        self, subject: str, calls: Sequence[object], steps: Sequence[Step], requests: Sequence[tuple[Any, ...]], functions: Functions
    ) -> list[tuple[bytes, list[Any]]]:
        replies = [self._reply(request, functions) for request in requests]
        if self._chance.random() < 0.03:
            replies[0] = ["before", self._chance.choice([0, len(steps), -1, True, 2**70]), *self._reply(("set",), functions)]
        return [(wire.encode(list(request), DEFAULT.depth + 4), reply) for request, reply in zip(requests, replies, strict=True)]

    def _reply(self, request: tuple[Any, ...], functions: Functions) -> list[Any]:
        chance, kind = self._chance, request[0]
        luck = chance.random()
        if luck < 0.03:
            kinds = chance.choices(KINDS, k=chance.randrange(3))
            return ["raised", kinds, "text", "exercises/softmax.py", chance.choice([0, 1, 5, -1, 2**300])]
        if luck < 0.06:
            return [chance.choice(["unplain", "absent", "raised", "ok", "passed"]), *(self._value() for _ in range(chance.randrange(4)))]
        if kind in ("set", "nothing"):
            return ["ok"]
        if kind == "get":
            value = wire.Handle(0) if chance.random() < 0.2 else self._value()
            return ["ok", value, {other: self._value() for other in request[3]}]
        if kind == "call" and chance.random() < 0.6:
            return self._nearly_right(*request[1:4], functions)
        return ["ok", self._value(), *([chance.random() < 0.1] if kind in ("call", "method") else [])]

    def _nearly_right(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any], functions: Functions) -> list[Any]:
        def crossing(value: Any) -> Any:
            return functions[value.number] if isinstance(value, wire.FunctionRef) else value

        try:
            right = getattr(reference(), name)(*map(crossing, args), **{key: crossing(value) for key, value in kwargs.items()})
        except ValueError:
            return ["raised", ["ValueError", "Exception"], "", "", 0]
        if isinstance(right, tuple) and self._chance.random() < 0.3:
            place = self._chance.randrange(len(right))
            right = (*right[:place], self._value(), *right[place + 1 :])
        if isinstance(right, dict) and self._chance.random() < 0.3:
            right[self._chance.choice(list(right))] = self._value()
        return ["ok", right, False]

    def _value(self, depth: int = 0) -> Any:
        """Something that the wire can carry."""
        chance = self._chance
        kind = chance.randrange(10 if depth < 3 else 6)
        if kind < 5:
            return chance.choice((INTEGERS, NUMBERS, TEXTS, SCALARS, OTHERS)[kind])
        if kind == 5:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # NaN as an integer is as good a number as any
                return np.full(chance.choice(SHAPES), chance.choice(NUMBERS)).astype(chance.choice(sorted(wire.DTYPES)))
        items = [self._value(depth + 1) for _ in range(chance.choice((0, 1, 2, 2, 3, 4, 5)))]
        return tuple(items) if kind < 8 else items if kind == 8 else dict(zip(chance.choices(KEYS, k=len(items)), items, strict=True))


def no_worker(setup: object) -> Any:
    raise AssertionError("no worker is to be started")


class Forger(Student):
    """A student of such a run."""

    def __init__(self, exercise: Exercise, chance: random.Random):
        super().__init__(exercise, Code({}), no_worker, reference(), DEFAULT, Budget(120.0))
        self._run = ForgedRun(exercise, chance)


@pytest.fixture(scope="module")
def hidden_tests() -> HiddenTests:
    return HiddenTests()


@pytest.mark.parametrize("exercise", COURSE, ids=lambda exercise: exercise.id)
def test_no_reply_whatever_is_a_fault_of_the_graders(hidden_tests: HiddenTests, exercise: Exercise) -> None:
    for seed in range(ROUNDS if exercise.id != "blockwise" else 1):
        outcomes = list(hidden_tests.run(exercise, Forger(exercise, random.Random(seed)), seed))
        report = report_of(exercise, outcomes)
        assert {test.status for test in report.tests} <= {"passed", "failed", "todo", "missing", "crashed"}
        assert report.status != "passed"
