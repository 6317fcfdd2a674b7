"""report.json: a `Report` as the contract's JSON, schema 1, and back. The one place where reports are dictionaries."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from autograder.course import COURSE
from autograder.reports.model import ExerciseReport, Report, TestResult
from autograder.text import cut, visible

SCHEMA = 1


def as_json(report: Report) -> dict[str, Any]:
    """`report` as schema 1, keys in the contract's order, text escaped and cut; then "jail", and what it could not promise.

    Times and printed text are not part of it, so that two runs on the same submission write the same bytes.
    ValueError where a score is no finite number.
    """
    return {
        "schema": SCHEMA,
        "student": visible(report.student),
        "status": report.status,
        "score": _number(report.score),
        "max_score": _number(report.max_score),
        "bonus": _number(report.bonus),
        "seed": report.seed,
        "notes": [_message(note) for note in report.notes],
        "exercises": [_exercise_as_json(exercise) for exercise in report.exercises],
        "jail": visible(report.jail),
        "jail_remarks": [_message(remark) for remark in report.jail_remarks],
    }


def _exercise_as_json(exercise: ExerciseReport) -> dict[str, Any]:
    return {
        "id": visible(exercise.id),
        "status": exercise.status,
        "score": _number(exercise.score),
        "max_score": _number(exercise.max_score),
        "tests": [_test_as_json(test) for test in exercise.tests],
    }


def _test_as_json(test: TestResult) -> dict[str, Any]:
    return {
        "id": visible(test.id),
        "title": visible(test.title),
        "status": test.status,
        "points": _number(test.points),
        "earned": _number(test.earned),
        "message": _message(test.message),
        "misconception": None if test.misconception is None else visible(test.misconception),
    }


def _message(text: str) -> str:
    return cut(visible(text, lines=True))


def _number(value: float) -> float:
    """Six decimals: sums of tenths come out as they were meant."""
    if not math.isfinite(value):
        raise ValueError(f"a score must be a finite number, not {value}")
    return round(float(value), 6)


def dumps(data: Mapping[str, Any]) -> str:
    """The text of report.json: strict JSON, indented, any script readable as it is."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def from_json(data: object) -> Report:
    """The report that a report.json of schema 1 holds; what only the pages show (feedback, printed text) is empty.

    ValueError, with the key, where the data is not of that schema. Keys that it does not name are passed over.
    """
    top = _Reader(data, "report.json")
    if top.value("schema") != SCHEMA:
        raise ValueError(f"report.json: schema {top.value('schema')!r} instead of {SCHEMA}; grade this submission again with --fresh")
    seed = top.value("seed")
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise ValueError("report.json: seed must be an integer")
    return Report(
        student=top.text("student"),
        status=top.text("status"),
        seed=seed,
        score=top.number("score"),
        max_score=top.number("max_score"),
        bonus=top.number("bonus"),
        notes=tuple(top.texts("notes")),
        exercises=tuple(_exercise_from_json(reader) for reader in top.readers("exercises")),
        jail=top.text("jail") if top.has("jail") else "",
        jail_remarks=tuple(top.texts("jail_remarks")) if top.has("jail_remarks") else (),
    )


def _exercise_from_json(reader: _Reader) -> ExerciseReport:
    exercise_id = reader.text("id")
    declared = next((exercise for exercise in COURSE if exercise.id == exercise_id), None)
    return ExerciseReport(
        id=exercise_id,
        title=str(declared.title) if declared else exercise_id,
        status=reader.text("status"),
        score=reader.number("score"),
        max_score=reader.number("max_score"),
        bonus=declared.bonus if declared else False,
        tests=tuple(_test_from_json(test) for test in reader.readers("tests")),
    )


def _test_from_json(reader: _Reader) -> TestResult:
    return TestResult(
        id=reader.text("id"),
        title=reader.text("title"),
        status=reader.text("status"),
        points=reader.number("points"),
        earned=reader.number("earned"),
        message=reader.text("message"),
        misconception=None if reader.value("misconception") is None else reader.text("misconception"),
    )


class _Reader:
    """A JSON object read key by key, each with its type; ValueError names the key that is amiss."""

    def __init__(self, data: object, where: str):
        if not isinstance(data, dict):
            raise ValueError(f"{where} must be a JSON object")
        self._data, self._where = data, where

    def has(self, key: str) -> bool:
        return key in self._data

    def value(self, key: str) -> Any:
        if key not in self._data:
            raise ValueError(f"{self._where}: {key!r} is missing")
        return self._data[key]

    def text(self, key: str) -> str:
        value = self.value(key)
        if not isinstance(value, str):
            raise ValueError(f"{self._where}: {key!r} must be text")
        return value

    def number(self, key: str) -> float:
        value = self.value(key)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            raise ValueError(f"{self._where}: {key!r} must be a finite number")
        return float(value)

    def texts(self, key: str) -> list[str]:
        items = self._items(key)
        if not all(isinstance(item, str) for item in items):
            raise ValueError(f"{self._where}: {key!r} must be a list of texts")
        return items

    def readers(self, key: str) -> list[_Reader]:
        return [_Reader(item, f"{self._where}, {key}[{i}]") for i, item in enumerate(self._items(key))]

    def _items(self, key: str) -> list[Any]:
        value = self.value(key)
        if not isinstance(value, list):
            raise ValueError(f"{self._where}: {key!r} must be a list")
        return value
