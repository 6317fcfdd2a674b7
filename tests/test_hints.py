"""The visible tests' hints: a common mistake is told before hand-in, from numbers alone, and nothing is told of other answers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from autograder.content.check import content_faults
from autograder.content.include import student_files
from autograder.content.layout import Layout
from autograder.content.stubs import stub_files
from autograder.course import COURSE
from autograder.misconceptions.catalogue import by_id, catalogue
from exercises.tests.expect import Reply
from exercises.tests.hints import hint_for, hint_lines, questions_of
from exercises.tests.notebook import NotRightYet, check
from solutions.softmax import softmax
from tests.course_copy import copy_course, edit

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


# Steps: a question, then where to read.


@pytest.fixture
def release(tmp_path: Path) -> Path:
    for name, content in student_files(Layout()).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return tmp_path


def told(folder: Path, *args: str) -> str:
    """What a student reads. With CI set pytest tells a message once more, in its summary."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHONPATH", "AUTOGRADER", "CI"))}
    command = [sys.executable, "-m", "pytest", *args, "-p", "no:cacheprovider"]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, encoding="utf-8").stdout


MASKED_SOFTMAX = "exercises/tests/test_masking.py::test_masked_softmax_leaves_blocked_keys_out"
ODD_ANSWER = "    return np.full(np.shape(scores), 0.2)\n"  # no mistake of the catalogue gives it


def mask_badly(folder: Path) -> None:
    path = folder / "exercises" / "masking.py"
    solved = (Layout().solutions / "masking.py").read_text("utf-8").replace("from solutions.", "from exercises.")
    path.write_text(solved.replace("    scores = np.asarray(scores, dtype=np.float64)\n", ODD_ANSWER), "utf-8")


def test_a_wrong_answer_of_no_known_mistake_brings_a_question_then_where_to_read_and_each_only_when_asked_for(release: Path) -> None:
    mask_badly(release)
    question = f"Hint: {questions_of('masking')['masked_softmax'].en}\n"
    read = "Read: section “4 Masks: what a query must not see” of the lesson, then the docstring and the TODOs of `masked_softmax`.\n"
    none, one, two = (told(release, MASKED_SOFTMAX, *["--hint"] * times) for times in range(3))
    assert "Hint:" not in none
    assert "Read:" not in none
    assert "For a hint add --hint.\n" in none
    assert question in one
    assert "Read:" not in one
    assert "To be told where to read add --hint once more.\n" in one
    assert question + read in two
    assert "add --hint" not in two


def test_a_question_is_asked_once_for_a_function_that_fails_twice(release: Path) -> None:
    mask_badly(release)
    output = told(release, "exercises/tests/test_masking.py", "--hint", "--hint")
    assert output.count("Called masked_softmax(") > 1
    assert output.count(f"Hint: {questions_of('masking')['masked_softmax'].en}\n") == 1
    assert output.count("the TODOs of `masked_softmax`") == 1


def test_a_known_mistake_keeps_its_own_question_and_gets_where_to_read(release: Path) -> None:
    entry = by_id()["softmax.one_sum_for_the_whole_array"]
    (release / "exercises/softmax.py").write_text(entry.as_module((Layout().solutions / "softmax.py").read_text("utf-8")), "utf-8")
    output = told(release, "exercises/tests/test_softmax.py::test_each_row_adds_up_to_one", "--hint", "--hint", "--lang", "zh")
    assert f"提示：{entry.hint.zh}\n阅读：讲义“1 softmax：从分数到权重”一节，然后看 `softmax` 的文档字符串和 TODO。\n" in output
    assert output.count("提示：") == 1


@pytest.mark.parametrize(
    ("tests", "exercise", "stub"),
    [
        ("exercises", "softmax", "softmax"),
        ("exercises/tests/test_attention.py", "attention", "scaled_dot_product_attention"),
        ("exercises/tests/test_self_attention.py", "self_attention", "SelfAttention"),
    ],
)
def test_what_is_to_do_next_brings_its_question_and_where_to_read(release: Path, tests: str, exercise: str, stub: str) -> None:
    output = told(release, tests, "--hint", "--hint")
    assert output.count("Hint: ") == 1
    assert f"Hint: {questions_of(exercise)[stub].en}\nRead: section “" in output
    assert f"of the lesson, then the docstring and the TODOs of `{stub}`.\n" in output
    assert "Hint: " not in told(release, tests)


@pytest.mark.parametrize(
    ("called", "name"),
    [
        ("SelfAttention(d_model=2, d_k=1, d_v=1).forward(X (2, 2), mask (2, 2))", "SelfAttention.forward"),
        ("SelfAttention(d_model=2, d_k=1, d_v=1).W_Q", "SelfAttention"),
        ("SelfAttention.__init__", "SelfAttention"),
        ("forward", "SelfAttention.forward"),
        ("__init__", "SelfAttention"),
        ("SelfAttention", "SelfAttention"),
    ],
)
def test_the_question_is_that_of_the_method_or_else_of_the_class(called: str, name: str) -> None:
    lines = list(hint_lines(2, "self_attention", called))
    assert lines[0] == f"Hint: {questions_of('self_attention')[name].en}"
    assert f"`{name}`" in lines[1]


def test_what_is_unknown_brings_the_section_alone() -> None:
    assert list(hint_lines(1, "softmax", "`import exercises.softmax`")) == []
    assert list(hint_lines(2, "softmax", "`import exercises.softmax`")) == [
        "Read: section “1 Softmax: from scores to weights” of the lesson."
    ]


def test_every_question_is_one_in_both_languages() -> None:
    for exercise in COURSE:
        for question in questions_of(exercise.id).values():
            assert question.en.endswith("?")
            assert question.zh.endswith("？")


def test_a_notebook_gives_the_same_steps() -> None:
    def doubled(x: np.ndarray, axis: int = -1) -> np.ndarray:
        return softmax(x, axis) + 0.5

    def not_written(x: np.ndarray, axis: int = -1) -> np.ndarray:
        raise NotImplementedError

    question, read = f"    Hint: {questions_of('softmax')['softmax'].en}", "    Read: section “1 Softmax: from scores to weights”"
    for written, exercise in ((doubled, "softmax"), (not_written, "softmax")):
        written.__code__ = written.__code__.replace(co_name="softmax", co_qualname="softmax")
        for hint in range(3):
            with pytest.raises(NotRightYet) as caught:
                check(exercise, {"softmax": written}, hint=hint)
            assert (str(caught.value).count(question), str(caught.value).count(read)) == (min(hint, 1), max(hint - 1, 0))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('    "causal_mask": Text(', '    "mask": Text(', "HINTS has no question about causal_mask"),
        ('    "causal_mask": Text(', '    "mask": Text(', "HINTS asks about mask, which the solution does not define"),
        ("HINTS = {", "QUESTIONS = {", "HINTS has no question about padding_mask"),
    ],
)
def test_the_content_check_misses_a_question(tmp_path: Path, old: str, new: str, problem: str) -> None:
    course = copy_course(tmp_path)
    edit(course.visible_tests / "test_masking.py", old, new)
    faults = content_faults(course, lambda exercise: {"all of it": exercise.points})
    assert any(str(fault).startswith(f"exercises/tests/test_masking.py: {problem}; ") for fault in faults)


def test_the_sections_are_those_of_the_notebooks(tmp_path: Path) -> None:
    course = copy_course(tmp_path)
    edit(course.source / "attention/attention.ipynb", "## 4 Masks: what a query must not see", "## 4 What is hidden")
    files, _ = stub_files(course)
    assert '    "masking": Text("4 What is hidden", "4 掩码：查询不能看的东西"),\n' in files[course.visible_tests / "course.py"]
