"""exercises/tests/hints.json: what each misconception of the catalogue gives in the visible tests, as numbers, with its hint.

Made by running the visible tests on every misconception. Neither right nor wrong code is shipped, and where two misconceptions give the
same numbers in a test neither is in it.
"""

from __future__ import annotations

import importlib
import json
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, SimpleNamespace
from typing import Any

import numpy as np

from autograder.content.layout import Layout
from autograder.course import COURSE, Exercise
from autograder.misconceptions.catalogue import Misconception, catalogue

MOST_NUMBERS = 200  # an answer with more than that is no small fixed input


Table = dict[str, dict[str, list[dict[str, Any]]]]


def stale_hints(layout: Layout) -> str | None:
    """The text that hints.json should have; None where what is there says the same, up to the last digits, which differ by machine."""
    table = hint_table(layout)
    try:
        there = json.loads(layout.hints.read_text("utf-8"))
    except (OSError, ValueError):
        there = None
    return None if there is not None and _says_the_same(table, there) else _text(table)


def _says_the_same(table: Table, there: Table) -> bool:
    if table.keys() != there.keys() or any(table[name].keys() != there[name].keys() for name in table):
        return False
    rows = [(table[name][test], there[name][test]) for name in table for test in table[name]]
    return all(
        len(a) == len(b) and all(x["en"] == y["en"] and x["zh"] == y["zh"] and _alike(x, y) for x, y in zip(a, b, strict=True))
        for a, b in rows
    )


def hint_table(layout: Layout) -> Table:
    """Exercise -> visible test -> what the misconceptions give in it."""
    table: Table = {}
    for exercise in COURSE:
        entries = [_compiled(layout, exercise, entry) for entry in catalogue() if entry.exercise == exercise.id and entry.diagnosed]
        rows = {}
        for test, function in _visible_tests(exercise).items():
            found = [row for entry, code in entries if (row := _row(exercise, entry, code, function)) is not None]
            unique = [row for row in found if sum(_alike(row, other) for other in found) == 1]
            if unique:
                rows[test] = unique
        table[exercise.id] = rows
    return table


def _text(table: Table) -> str:
    """JSON with a line per row, so that a change can be read."""

    def block(name: str, inner: list[str], brackets: str) -> str:
        return f"{json.dumps(name)}: {brackets[0]}\n" + ",\n".join(inner) + f"\n{brackets[1]}"

    def tests(rows: dict[str, list[dict[str, Any]]]) -> list[str]:
        return [block(test, [json.dumps(row, ensure_ascii=False) for row in found], "[]") for test, found in rows.items()]

    return "{\n" + ",\n".join(block(exercise, tests(rows), "{}") for exercise, rows in table.items()) + "\n}\n"


def _visible_tests(exercise: Exercise) -> dict[str, Any]:
    module = importlib.import_module(f"exercises.tests.test_{exercise.id}")
    return {name: thing for name, thing in vars(module).items() if name.startswith("test_") and callable(thing)}


def _compiled(layout: Layout, exercise: Exercise, entry: Misconception) -> tuple[Misconception, CodeType]:
    text = entry.as_module(layout.solution(exercise).read_text("utf-8"), earlier="solutions")
    return entry, compile(text, f"<{entry.id}>", "exec")


def _row(exercise: Exercise, entry: Misconception, code: CodeType, test: Any) -> dict[str, Any] | None:
    """What the student with this misconception gives where the test first fails; None where it does not, or shows no numbers."""
    from exercises.tests.expect import Wrong
    from exercises.tests.hints import numbers
    from exercises.tests.student import Student

    namespace: dict[str, Any] = {"__name__": f"misconception.{exercise.id}"}
    with _untouched(exercise, entry), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        exec(code, namespace)
        try:
            test(Student(exercise.id, SimpleNamespace(**namespace)))
        except Wrong as wrong:
            got = numbers(wrong.reply.value) if wrong.reply is not None and wrong.reply.raised is None else None
            if got is None or got.size > MOST_NUMBERS:
                return None
            return {"part": wrong.reply.part, "shape": list(got.shape), "numbers": [_written(x) for x in got.ravel()], **_hint(entry)}
    return None


@contextmanager
def _untouched(exercise: Exercise, entry: Misconception) -> Iterator[None]:
    """Within this block the reference's class may get the wrong method, where the entry imports that very class; after it, not."""
    class_name, _, method = entry.target.partition(".")
    reference = getattr(importlib.import_module(f"solutions.{exercise.module}"), class_name)
    before = vars(reference)[method] if method else None
    try:
        yield
    finally:
        if method:
            setattr(reference, method, before)


def _hint(entry: Misconception) -> dict[str, str]:
    return {"en": entry.hint.en, "zh": entry.hint.zh}


def _written(number: float) -> float | str:
    return round(float(number), 7) if np.isfinite(number) else str(float(number))


def _alike(a: dict[str, Any], b: dict[str, Any]) -> bool:
    if (a["part"], a["shape"]) != (b["part"], b["shape"]):
        return False
    x, y = (np.array([float(number) for number in row["numbers"]]) for row in (a, b))
    return bool(np.allclose(x, y, rtol=0.0, atol=1e-4, equal_nan=True))
