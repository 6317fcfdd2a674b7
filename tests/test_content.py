"""What is generated follows solutions/, and the content check finds what is missing, left over or does not add up."""

from __future__ import annotations

import ast
import shutil
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest

from autograder.content.build import build
from autograder.content.check import content_faults
from autograder.content.command import run_build
from autograder.content.deliverable import GRADE_ID, HAND_IN, POINTS, headings, in_notebook
from autograder.content.layout import Layout, Misplaced, Notebook
from autograder.content.notebooks import NotForNotebooks, in_step, solution_source
from autograder.content.proof import Proof
from autograder.content.regions import normalised, solution_lines, telling
from autograder.content.stubs import STUB_LINE, NoSolutionRegion, stub
from autograder.content.table import MARKER, course_table
from autograder.course import COURSE, MAX_SCORE, Exercise
from tests.conftest import jail_or_skip
from tests.course_copy import copy_course, edit

BONUS = sum(exercise.points for exercise in COURSE if exercise.bonus)


@pytest.fixture
def course(tmp_path: Path) -> Layout:
    return copy_course(tmp_path)


def english(layout: Layout) -> Path:
    return layout.source / "attention" / "attention.ipynb"


def chinese(layout: Layout) -> Path:
    return layout.source / "attention-zh" / "attention-zh.ipynb"


def right_points(exercise: Exercise) -> dict[str, float]:
    return {"all of it": exercise.points}


def problems(layout: Layout) -> list[str]:
    return [str(fault) for fault in content_faults(layout, right_points)]


def test_the_repository_is_up_to_date_and_complete():
    """Solutions and stubs are graded and tested too, in the jail that this machine has."""
    jail_or_skip("auto")
    built = build(check=True)
    assert [str(fault) for fault in built.faults] == []
    assert built.notes == ()


def test_a_second_build_changes_nothing(course: Layout):
    assert build(course).written == ()


def test_build_writes_what_is_missing_or_edited_and_nothing_else(course: Layout):
    course.stub(COURSE[0]).unlink()
    edit(english(course), 'check(\\"masking\\")', 'check(\\"maskin\\")')
    (course.visible_tests / "expect.py").write_text("", encoding="utf-8")
    (course.visible_tests / "course.py").unlink()
    (chinese(course).parent / HAND_IN).unlink()
    edit(course.readme("zh"), "| `softmax` |", "| `soft_max` |")
    before = {path: path.read_bytes() for path in course.root.rglob("*") if path.is_file()}

    built = build(course)

    assert set(built.written) == {
        "exercises/softmax.py",
        "exercises/tests/course.py",
        "exercises/tests/expect.py",
        "source/attention/attention.ipynb",
        "source/attention-zh/outputs/prompt-attention-explainer.md",
        "README.zh-CN.md",
    }
    assert build(course).written == ()
    changed = {course.name(path) for path, text in before.items() if path.read_bytes() != text}
    assert changed == {"exercises/tests/expect.py", "source/attention/attention.ipynb", "README.zh-CN.md"}


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("exercises/attention.py", "TODO 1", "TODO one"),
        ("solutions/softmax.py", "exps / exps.sum", "exps * 1 / exps.sum"),
        ("source/attention/attention.ipynb", 'score(\\"softmax\\")', "6.0"),
        ("source/attention-zh/attention-zh.ipynb", 'score(\\"softmax\\", lang=\\"zh\\")', "6.0"),
        ("source/attention-zh/outputs/prompt-attention-explainer.md", "## ", "### "),
        ("solutions/prompt-attention-explainer.md", "You are a patient teacher", "You are a teacher"),
        ("README.md", "| `softmax` | A softmax that never overflows | 6 |", "| `softmax` | A softmax that never overflows | 7 |"),
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


@pytest.mark.parametrize("notebook", [english, chinese])
def test_the_three_cells_of_an_exercise_say_to_nbgrader_what_they_are(notebook: Callable[[Layout], Path]):
    nb = nbformat.read(notebook(Layout()), as_version=4)
    cells = {cell.metadata.nbgrader.grade_id: cell for cell in nb.cells if "nbgrader" in cell.metadata}
    for exercise in COURSE:
        solution, check, grade = (cells[id].metadata.nbgrader for id in (exercise.id, f"check-{exercise.id}", f"grade-{exercise.id}"))
        assert (solution.solution, solution.grade, solution.locked) == (True, False, False)
        assert (check.solution, check.grade, check.locked, check.points) == (False, True, True, 0)
        assert (grade.solution, grade.grade, grade.locked, grade.points) == (False, True, True, exercise.points)
    prompt = cells.pop(GRADE_ID)
    assert prompt.cell_type == "markdown"
    assert (prompt.metadata.nbgrader.solution, prompt.metadata.nbgrader.grade, prompt.metadata.nbgrader.locked) == (True, True, False)
    assert prompt.metadata.nbgrader.points == POINTS
    assert sum(cell.metadata.nbgrader.get("points", 0) for cell in cells.values()) == sum(exercise.points for exercise in COURSE)


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


def test_new_cells_at_one_place_get_one_id_in_both_notebooks(course: Layout):
    english, chinese = (notebook.path for notebook in course.notebooks())
    for path in (english, chinese):
        nb = nbformat.read(path, as_version=4)
        nb.cells.insert(5, nbformat.v4.new_markdown_cell("A remark."))
        nbformat.write(nb, path)
    build(course)
    first, second = ([cell.id for cell in nbformat.read(path, as_version=4).cells] for path in (english, chinese))
    assert first == second
    nb = nbformat.read(chinese, as_version=4)
    nb.cells.insert(9, nbformat.v4.new_markdown_cell("Only here."))
    nbformat.write(nb, chinese)
    build(course)
    assert any("lacks its cell" in problem for problem in problems(course))


def test_a_chinese_notebook_gets_chinese_notes_checks_and_model_answer(course: Layout):
    text = english(course).read_text(encoding="utf-8")
    made, faults = in_step(text, Notebook(chinese(course)), course)
    assert faults == []
    assert "隐藏测试" in made
    assert 'check(\\"softmax\\", lang=\\"zh\\")' in made
    assert "请谁来讲，讲给谁听" in made


def test_both_notebooks_must_be_there(course: Layout):
    shutil.rmtree(chinese(course).parent)
    assert "source/attention-zh/attention-zh.ipynb: there is no such notebook; restore it from git" in map(str, build(course).faults)


def test_a_readme_without_a_place_for_the_table_is_told_and_left_alone(course: Layout):
    edit(course.readme("en"), MARKER, "")
    before = course.readme("en").read_bytes()
    assert [str(fault) for fault in build(course).faults] == [
        "README.md: no line <!-- course table -->; put it where the table of exercises belongs"
    ]
    assert course.readme("en").read_bytes() == before


def test_the_table_has_a_row_per_exercise_and_the_sum():
    rows = course_table("en").splitlines()
    assert rows[0] == "| exercise | what it is about | points | builds on |"
    assert rows[3] == "| `attention` | Scaled dot-product attention | 10 | `softmax` |"
    assert "| `backward` | The gradients of attention | 5 bonus | `softmax`, `attention`, `masking` |" in rows
    assert rows[-1] == f"|  | all | {MAX_SCORE:g}, and {BONUS:g} bonus |  |"
    assert len(rows) == len(COURSE) + 3
    assert "| `softmax` | 不会溢出的 softmax | 6 |  |" in course_table("zh").splitlines()


def test_a_model_answer_is_cut_to_its_headings():
    answer = "# A prompt\n\n## The steps\n\n1. scores\n\n## The form\n\nShort.\n"
    assert headings(answer) == "# A prompt\n\n## The steps\n\n…\n\n## The form\n\n…\n"
    assert in_notebook(answer).startswith("### The steps\n\n### BEGIN SOLUTION\n1. scores\n### END SOLUTION\n\n### The form")


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
        ("exercises/tests/test_softmax.py", '@chinese("中间的轴")\n', "", "test_an_axis_in_the_middle has no Chinese title"),
        (
            "exercises/tests/student.py",
            '"请保留原来的名字。"',
            '"Keep the name."',
            "the Chinese of 'Keep the name that the stub had.' is 'Keep the name.'",
        ),
        ("autograder/course.py", '"缩放点积注意力"', '""', "the Chinese of 'Scaled dot-product attention' is ''"),
        ("autograder/hidden/test_softmax.py", '"不修改参数"', '"the argument"', "the Chinese of "),
    ],
)
def test_a_broken_part_is_told_with_its_file(course: Layout, file: str, old: str, new: str, told: str):
    edit(course.root / file, old, new)
    assert any(problem.startswith(file) and told in problem for problem in problems(course))


@pytest.mark.parametrize("file", ["solutions/softmax.py", "exercises/tests/test_softmax.py", "autograder/hidden/test_softmax.py"])
def test_a_missing_part_is_told(course: Layout, file: str):
    (course.root / file).unlink()
    assert any(problem.startswith(f"{file}: ") for problem in problems(course))


def test_a_file_that_is_no_python_is_told_with_its_line(course: Layout):
    for file in ("solutions/softmax.py", "exercises/tests/test_softmax.py", "autograder/hidden/test_softmax.py"):
        (course.root / file).write_text("x = 1\ndef (:\n")
    assert [fault.file for fault in content_faults(course)] == [
        "solutions/softmax.py:2",
        "exercises/tests/test_softmax.py:2",
        "autograder/hidden/test_softmax.py:2",
    ]


@pytest.mark.parametrize("part", ["solution", "visible_test", "hidden_test"])
def test_a_build_and_a_check_say_what_is_missing_where_somebody_has_just_begun(course: Layout, part: str):
    """The real collection of the hidden tests and of the hints, which cannot be had then."""
    path = getattr(course, part)(COURSE[0])
    path.unlink()
    build(course)
    assert course.name(path) in [fault.file for fault in build(course, check=True).faults]


@pytest.mark.parametrize(
    "file",
    [
        "solutions/spare.py",
        "solutions/spare.md",
        "exercises/spare.py",
        "exercises/data/spare.npz",
        "exercises/tests/test_spare.py",
        "autograder/hidden/test_spare.py",
        "autograder/hidden/data/spare.npz",
    ],
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
    nb.cells = [cell for cell in nb.cells if cell.id != "masking-lesson"]
    nbformat.write(nb, path)
    told = "\n".join(problems(course))
    assert "the cell check-softmax is out of order" in told
    assert "the cell spare belongs to no exercise" in told
    assert "masking has no section" in told


def change_cells(path: Path, change: Callable[[list[nbformat.NotebookNode]], object]) -> None:
    nb = nbformat.read(path, as_version=4)
    change(nb.cells)
    nbformat.write(nb, path)


def cell(cells: list[nbformat.NotebookNode], id: str) -> nbformat.NotebookNode:
    return next(cell for cell in cells if cell.id == id)


def test_the_notebooks_may_differ_in_words_alone(course: Layout):
    change_cells(
        chinese(course),
        lambda cells: cell(cells, "attention-try").update(
            source=(
                "keys = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]])  # 三个键\n"
                "for length in (0, 1, 5, 50):\n"
                "    _, looked = scaled_dot_product_attention(np.array([[1.0, 0.0]]) * length, keys, keys)\n"
                "    print(f'{length:>9} 是长度：{looked[0]}')"
            )
        ),
    )
    assert problems(course) == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            lambda cells: cells.remove(cell(cells, "attention-after")),
            "it lacks the cell attention-after of source/attention/attention.ipynb",
        ),
        (
            lambda cells: cells.append(nbformat.v4.new_markdown_cell("再见", id="bye")),
            "source/attention/attention.ipynb lacks its cell bye",
        ),
        (lambda cells: cells.append(cells.pop(1)), "the cell set-up stands elsewhere than in source/attention/attention.ipynb"),
        (
            lambda cells: cell(cells, "softmax-try").update(source="print(softmax(np.zeros(2)))"),
            "the code of the cell softmax-try is another",
        ),
        (lambda cells: cell(cells, "softmax-after").update(cell_type="raw"), "the cell softmax-after is raw, not markdown"),
    ],
)
def test_a_notebook_that_departs_from_the_other_is_told(course: Layout, change: Callable[[list[nbformat.NotebookNode]], object], told: str):
    change_cells(chinese(course), change)
    (problem,) = problems(course)
    assert problem.startswith(f"source/attention-zh/attention-zh.ipynb: {told}")


def test_the_command_says_what_it_wrote_what_is_wrong_and_what_it_could_not_check(
    course: Layout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    course.stub(COURSE[0]).unlink()
    assert run_build(check=True, layout=course) == 1
    told = capsys.readouterr().err
    assert "exercises/softmax.py: out of date; run `autograder build`\n" in told
    assert "Note: solutions and stubs were neither graded nor tested" in told
    assert run_build(check=False, layout=course) == 0
    assert capsys.readouterr().out == "wrote exercises/softmax.py\n"
    monkeypatch.setattr("autograder.content.build.prove", lambda layout: Proof((), ("no jail here",)))
    assert run_build(check=True, layout=course) == 0
    told = capsys.readouterr()
    assert f"{MAX_SCORE:g} points and {BONUS:g} bonus" in told.out
    assert told.err == "Note: no jail here\n"


def test_where_the_course_is_not_there_the_way_out_is_told(tmp_path: Path):
    with pytest.raises(Misplaced, match="in a clone of the"):
        Layout(tmp_path)
