"""The visible tests' hints: a common mistake is told before hand-in, from numbers alone, and nothing is told of other answers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from autograder.content.include import student_files
from autograder.content.layout import Layout
from autograder.misconceptions.catalogue import by_id, catalogue
from exercises.tests.expect import Reply
from exercises.tests.hints import hint_for

TABLE = json.loads(Layout().hints.read_text("utf-8"))


def rows() -> list[tuple[str, str, dict]]:
    return [(exercise, test, row) for exercise, tests in TABLE.items() for test, found in tests.items() for row in found]


def answer(row: dict) -> np.ndarray:
    return np.array([float(number) for number in row["numbers"]]).reshape(row["shape"])


def test_the_table_holds_numbers_and_hints_and_no_code() -> None:
    hints = {(entry.exercise, entry.hint.en, entry.hint.zh) for entry in catalogue()}
    for exercise, _, row in rows():
        assert set(row) == {"part", "shape", "numbers", "en", "zh"}
        assert (exercise, row["en"], row["zh"]) in hints


def test_the_answer_of_a_mistake_brings_its_hint() -> None:
    for exercise, test, row in rows():
        assert hint_for(exercise, test, Reply("f()", value=answer(row).astype(np.float32), part=row["part"])) == row["en"]


def test_another_answer_brings_none() -> None:
    for exercise, test, row in rows():
        got = answer(row) + 0.37
        if np.isfinite(got).all():
            assert hint_for(exercise, test, Reply("f()", value=got, part=row["part"])) == ""
        assert hint_for(exercise, test, Reply("f()", value=answer(row), part="nothing")) == ""
    assert hint_for("softmax", "test_nothing", Reply("f()", value=1.0)) == ""
    assert hint_for("softmax", next(iter(TABLE["softmax"])), Reply("f()", value=["a", 1])) == ""
    assert hint_for("softmax", next(iter(TABLE["softmax"])), None) == ""


def test_a_student_reads_the_hint_under_the_message(tmp_path: Path) -> None:
    layout, entry = Layout(), by_id()["softmax.one_sum_for_the_whole_array"]
    for name, content in student_files(layout).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    (tmp_path / "exercises/softmax.py").write_text(entry.as_module((layout.solutions / "softmax.py").read_text("utf-8")), "utf-8")
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHONPATH", "AUTOGRADER"))}
    command = [sys.executable, "-m", "pytest", "exercises/tests/test_softmax.py", "-p", "no:cacheprovider"]
    english = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, encoding="utf-8")
    assert f"Hint: {entry.hint.en}" in english.stdout
    chinese = subprocess.run([*command, "--lang", "zh"], cwd=tmp_path, env=env, capture_output=True, text=True, encoding="utf-8")
    assert f"提示：{entry.hint.zh}" in chinese.stdout
