"""Whatever an entry point gives back is the student's loss: no value whatever is a fault of the kit's."""

from __future__ import annotations

import pytest

from autograder.course import COURSE, Class, Exercise, Function
from autograder.grading.grader import Grader
from tests.conftest import submission

ODD = [
    "None",
    "True",
    "0.5",
    "10 ** 400",
    "float('nan')",
    "'text'",
    "b'bytes'",
    "''",
    "[]",
    "()",
    "{}",
    "{'weights_a': None, 1: 2}",
    "[[1.0, 2.0], [3.0]]",
    "[None, None]",
    "['a', 'b']",
    "(None, None)",
    "('output', 'weights')",
    "(1.0, 2.0, 3.0, 4.0)",
    "((1.0, 2.0), ((1.0,), {}))",
    "np.zeros(())",
    "np.zeros((0,))",
    "np.zeros((2, 0, 3))",
    "np.full((3, 3), np.inf)",
    "(np.zeros((3, 3)), np.zeros((3, 3)))",
    "(np.zeros((2, 3, 3), bool), np.ones((2, 3, 3), bool))",
    "(np.zeros((3, 3)), (np.zeros(3), np.zeros(3)))",
    "np.array(['a'])",
    "np.array([1j])",
    "np.array([None])",
    "np.arange(4, dtype=np.uint8)",
    "[np.zeros((2, 2)), np.zeros((2, 2))]",
    "np.zeros((1,) * 32)",
    "lambda *a: None",
    "object()",
    "type('Odd', (), {'raised': 1, 'value': 2, 'called': 3})()",
    "np.ma.masked_array([1.0, 2.0], [1, 0])",
    "{'a': {'b': {'c': np.zeros(3)}}}",
]


def module_that_answers(exercise: Exercise, value: str) -> str:
    """A module in which every entry point, method and attribute is this value."""
    lines = ["import numpy as np", ""]
    for entry in exercise.entry_points:
        if isinstance(entry, Function):
            lines.append(f"def {entry.name}(*args, **kwargs):\n    return {value}\n")
        elif isinstance(entry, Class):
            methods = "\n".join(f"    def {name}(self, *args, **kwargs):\n        return {value}" for name in entry.methods)
            attributes = "\n".join(f"        self.{name} = {value}" for name in entry.attributes) or "        pass"
            lines.append(f"class {entry.name}:\n    def __init__(self, *args, **kwargs):\n{attributes}\n{methods}\n")
        else:
            lines.append(f"{entry.name} = {value}\n")
    return "\n".join(lines)


@pytest.mark.parametrize("exercise", COURSE, ids=lambda exercise: exercise.id)
def test_an_odd_answer_earns_nothing_and_breaks_nothing(grader: Grader, exercise: Exercise) -> None:
    for value in ODD:
        code = submission({f"{exercise.module}.py": module_that_answers(exercise, value)})
        report = grader.grade(code, 3, exercises=[exercise.id])
        assert report.score + report.bonus == 0, value
