"""What is generated follows solutions/, and the content check finds what is missing, left over or does not add up."""

from __future__ import annotations

import ast
from pathlib import Path

import nbformat
import pytest

from autograder.content.build import build
from autograder.content.check import content_faults
from autograder.content.command import run_build
from autograder.content.layout import Layout, Misplaced, Notebook
from autograder.content.notebooks import NotForNotebooks, in_step, solution_source
from autograder.content.regions import normalised, solution_lines, telling
from autograder.content.stubs import STUB_LINE, NoSolutionRegion, stub
from autograder.course import COURSE, MAX_SCORE, Exercise
from tests.course_copy import copy_course, edit


@pytest.fixture
def course(tmp_path: Path) -> Layout:
    return copy_course(tmp_path)


def english(layout: Layout) -> Path:
    return layout.source / "attention" / "attention.ipynb"


def right_points(exercise: Exercise) -> dict[str, float]:
    return {"all of it": exercise.points}


def problems(layout: Layout) -> list[str]:
    return [str(fault) for fault in content_faults(layout, right_points)]


def test_the_repository_is_up_to_date_and_complete():
    assert [str(fault) for fault in build(check=True).faults] == []


def test_a_second_build_changes_nothing(course: Layout):
    assert build(course).written == ()


def test_build_writes_what_is_missing_or_edited_and_nothing_else(course: Layout):
    course.stub(COURSE[0]).unlink()
    edit(english(course), 'check(\\"masking\\")', 'check(\\"maskin\\")')
    (course.visible_tests / "expect.py").write_text("", encoding="utf-8")
    (course.visible_tests / "course.py").unlink()
    before = {path: path.read_bytes() for path in course.root.rglob("*") if path.is_file()}

    built = build(course)

    assert set(built.written) == {
        "exercises/softmax.py",
        "exercises/tests/course.py",
        "exercises/tests/expect.py",
        "source/attention/attention.ipynb",
    }
    assert build(course).written == ()
    changed = {course.name(path) for path, text in before.items() if path.read_bytes() != text}
    assert changed == {"exercises/tests/expect.py", "source/attention/attention.ipynb"}


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("exercises/attention.py", "TODO 1", "TODO one"),
        ("solutions/softmax.py", "exps / exps.sum", "exps * 1 / exps.sum"),
        ("source/attention/attention.ipynb", 'score(\\"softmax\\")', "6.0"),
        ("autograder/expect.py", "RELATIVE_TOLERANCE = 1e-5", "RELATIVE_TOLERANCE = 1e-6"),
    ],
)
def test_check_fails_where_a_generated_file_is_out_of_date_and_writes_nothing(course: Layout, file: str, old: str, new: str):
    edit(course.root / file, old, new)
    before = {path: path.read_bytes() for path in course.root.rglob("*") if path.is_file()}
    faults = [str(fault) for fault in build(course, check=True).faults]
    assert any("out of date; run `autograder build`" in fault for fault in faults)
    assert {path: path.read_bytes() for path in course.root.rglob("*") if path.is_file()} == before


SOLUTION = '''"""Doubling."""

import numpy as np

from solutions.softmax import softmax


def double(x: np.ndarray) -> np.ndarray:
    """Twice x. x: (..., n)."""
    # TODO 1: multiply.
    ### BEGIN SOLUTION
    return x * 2 + softmax(x) * 0
    ### END SOLUTION
'''


def test_a_stub_keeps_signature_docstring_and_todos_and_raises():
    made = stub(SOLUTION)
    assert made == SOLUTION.replace("from solutions.", "from exercises.").replace(
        "    ### BEGIN SOLUTION\n    return x * 2 + softmax(x) * 0\n    ### END SOLUTION\n", f"    {STUB_LINE}\n"
    )
    function = ast.parse(made).body[-1]
    assert isinstance(function, ast.FunctionDef)
    assert isinstance(function.body[-1], ast.Raise)


def test_a_solution_without_a_region_cannot_become_a_stub(course: Layout):
    with pytest.raises(NoSolutionRegion):
        stub("x = 1\n")
    course.solution(COURSE[0]).write_text("def softmax(x):\n    return x\n", encoding="utf-8")
    (fault,) = build(course).faults
    assert str(fault).startswith("solutions/softmax.py: there is no `### BEGIN SOLUTION`")


def test_no_stub_holds_a_line_of_a_solution():
    layout = Layout()
    for exercise in COURSE:
        secret = solution_lines(layout.solution(exercise).read_text(encoding="utf-8"))
        assert secret, exercise.id
        assert not secret.keys() & {normalised(line) for line in layout.stub(exercise).read_text(encoding="utf-8").splitlines()}


@pytest.mark.parametrize("line", ["return weights @ V, weights", "scores = Q / np.sqrt(d_k)  # scaled", "X = f(y)[..., None]"])
def test_lines_with_an_operation_tell_something(line: str):
    assert telling(normalised(line))


@pytest.mark.parametrize(
    "line", ["return output, weights", "else:", "if mask is None:", "raise ValueError(", "# scores = Q / np.sqrt(d_k)", ")"]
)
def test_lines_without_an_operation_tell_nothing(line: str):
    assert not telling(normalised(line))


def test_a_solution_cell_has_neither_module_docstring_nor_import_of_a_solution():
    assert solution_source(SOLUTION).startswith("import numpy as np\n\n\ndef double")
    assert "### BEGIN SOLUTION" in solution_source(SOLUTION)


@pytest.mark.parametrize("line", ["from solutions.softmax import softmax as s", "import solutions.softmax"])
def test_an_import_that_a_notebook_cannot_mean_is_refused(line: str):
    with pytest.raises(NotForNotebooks):
        solution_source(SOLUTION.replace("from solutions.softmax import softmax", line))


def test_build_leaves_prose_and_worked_examples_alone_and_clears_outputs(course: Layout):
    path = english(course)
    nb = nbformat.read(path, as_version=4)
    before = [(cell.id, cell.source) for cell in nb.cells]
    for cell in nb.cells:
        if cell.cell_type == "code":
            cell.outputs = [nbformat.v4.new_output("stream", text="42")]
            cell.execution_count = 7
    nb.metadata["kernelspec"]["name"] = "my-env"
    owned = next(cell for cell in nb.cells if cell.id == "softmax")
    owned.source = "something else"
    nbformat.write(nb, path)

    build(course)

    nb = nbformat.read(path, as_version=4)
    assert [(cell.id, cell.source) for cell in nb.cells] == before
    assert nb.metadata.kernelspec.name == "python3"
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in nb.cells)


def test_the_three_cells_of_an_exercise_say_to_nbgrader_what_they_are():
    nb = nbformat.read(english(Layout()), as_version=4)
    cells = {cell.metadata.nbgrader.grade_id: cell for cell in nb.cells if "nbgrader" in cell.metadata}
    for exercise in COURSE:
        solution, check, grade = (cells[id].metadata.nbgrader for id in (exercise.id, f"check-{exercise.id}", f"grade-{exercise.id}"))
        assert (solution.solution, solution.grade, solution.locked) == (True, False, False)
        assert (check.solution, check.grade, check.locked, check.points) == (False, True, True, 0)
        assert (grade.solution, grade.grade, grade.locked, grade.points) == (False, True, True, exercise.points)
    assert sum(cell.metadata.nbgrader.get("points", 0) for cell in cells.values()) == MAX_SCORE


def test_a_missing_and_a_doubled_cell_are_told(course: Layout):
    path = english(course)
    nb = nbformat.read(path, as_version=4)
    nb.cells = [cell for cell in nb.cells if cell.id != "check-softmax"]
    twin = nbformat.from_dict(next(cell for cell in nb.cells if cell.id == "masking"))
    nb.cells.append(nbformat.from_dict({**twin, "id": "twin"}))
    nbformat.write(nb, path)
    faults = [str(fault) for fault in build(course).faults]
    assert len(faults) == 2
    assert "no cell has the grade_id check-softmax" in faults[0]
    assert "2 cells have the grade_id masking" in faults[1]


def test_a_chinese_notebook_gets_chinese_notes(course: Layout):
    text = english(course).read_text(encoding="utf-8")
    made, faults = in_step(text, Notebook(course.source / "attention-zh" / "attention-zh.ipynb"), course)
    assert faults == []
    assert "隐藏测试" in made


def test_text_that_is_no_notebook_is_a_fault(course: Layout):
    english(course).write_text("<html>", encoding="utf-8")
    assert any("not a notebook" in str(fault) for fault in build(course).faults)


def test_a_complete_course_has_no_fault(course: Layout):
    assert problems(course) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("solutions/softmax.py", "def softmax", "def soft_max", "it does not define softmax"),
        ("solutions/softmax.py", "    x: (...), any", "    x: an array, any", "the docstring of softmax names no shape"),
        ("solutions/softmax.py", "# TODO", "# Hint", "no TODO stands before this solution region"),
        ("solutions/masking.py", "def masked_softmax", "def softmax", "solutions/softmax.py defines softmax too"),
        ("exercises/softmax.py", f"    {STUB_LINE}", "    return exps / exps.sum(axis=axis, keepdims=True)", "a line of the solution"),
        ("exercises/tests/test_softmax.py", "def test_", "def no_test_", "no visible test"),
    ],
)
def test_a_broken_part_is_told_with_its_file(course: Layout, file: str, old: str, new: str, told: str):
    edit(course.root / file, old, new)
    assert any(problem.startswith(file) and told in problem for problem in problems(course))


@pytest.mark.parametrize("file", ["solutions/softmax.py", "exercises/tests/test_softmax.py", "autograder/hidden/test_softmax.py"])
def test_a_missing_part_is_told(course: Layout, file: str):
    (course.root / file).unlink()
    assert any(problem.startswith(f"{file}: ") for problem in problems(course))


@pytest.mark.parametrize(
    "file", ["solutions/spare.py", "exercises/spare.py", "exercises/tests/test_spare.py", "autograder/hidden/test_spare.py"]
)
def test_a_file_that_belongs_to_no_exercise_is_told(course: Layout, file: str):
    (course.root / file).write_text("", encoding="utf-8")
    assert problems(course) == [f"{file}: belongs to no exercise; delete it or add its exercise to autograder/course.py"]


def test_a_helper_of_a_visible_test_belongs_to_its_exercise(course: Layout):
    (course.visible_tests / "helper.py").write_text("", encoding="utf-8")
    edit(course.visible_test(COURSE[0]), "from .expect", "from .helper import *\nfrom .expect")
    assert problems(course) == []


def test_points_that_do_not_add_up_are_told(course: Layout):
    (fault,) = content_faults(course, lambda exercise: {"a": 0.5, "b": 5.0 if exercise.id == "softmax" else exercise.points - 0.5})
    assert str(fault).startswith("autograder/hidden/test_softmax.py: its points add up to 5.5, but the course gives 6")


def test_cells_out_of_order_foreign_cells_and_missing_prose_are_told(course: Layout):
    path = english(course)
    nb = nbformat.read(path, as_version=4)
    ids = [cell.id for cell in nb.cells]
    nb.cells.append(nb.cells.pop(ids.index("softmax")))
    nb.cells.append(nbformat.v4.new_code_cell("", metadata={"nbgrader": {"grade_id": "spare"}}))
    nb.cells = [cell for cell in nb.cells if cell.id not in ("attention-after", "masking-lesson", "masking-where")]
    nbformat.write(nb, path)
    told = "\n".join(problems(course))
    assert "the cell check-softmax is out of order" in told
    assert "the cell spare belongs to no exercise" in told
    assert "masking has no prose before its cell" in told


def test_the_command_says_what_it_wrote_and_what_is_wrong(course: Layout, capsys: pytest.CaptureFixture[str]):
    course.stub(COURSE[0]).unlink()
    assert run_build(check=True, layout=course) == 1
    assert "exercises/softmax.py: out of date; run `autograder build`\n" in capsys.readouterr().err
    assert run_build(check=False, layout=course) == 0
    assert capsys.readouterr().out == "wrote exercises/softmax.py\n"
    assert run_build(check=True, layout=course) == 0
    assert f"{MAX_SCORE:g} points" in capsys.readouterr().out


def test_where_the_course_is_not_there_the_way_out_is_told(tmp_path: Path):
    with pytest.raises(Misplaced, match="clone the repository"):
        Layout(tmp_path)
