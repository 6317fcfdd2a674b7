"""A release holds what students need and nothing of the grader's; the same content gives the same bytes."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbgrader.api import Gradebook

from autograder.content.command import run_release
from autograder.content.deliverable import GRADE_ID, HAND_IN, POINTS
from autograder.content.include import student_files
from autograder.content.layout import ASSIGNMENTS, Layout
from autograder.content.leaks import find_leaks
from autograder.content.release import Released, ReleaseError, release
from autograder.course import COURSE
from tests.course_copy import copy_course, edit


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Released]:
    """One release, by assignment."""
    return {r.assignment: r for r in release(tmp_path_factory.mktemp("release"))}


@pytest.fixture(scope="module")
def released(both: dict[str, Released]) -> Released:
    return both["attention"]


@pytest.fixture
def folder(released: Released, tmp_path: Path) -> Path:
    """A copy of the release that a test may change."""
    return Path(shutil.copytree(released.folder, tmp_path / "attention"))


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("assignment", ASSIGNMENTS.values())
def test_a_release_has_the_notebook_the_stubs_their_tests_and_a_readme(both: dict[str, Released], assignment: str):
    names = set(files_of(both[assignment].folder))
    assert {f"{assignment}.ipynb", "README.md", "requirements.txt", "pytest.ini", "conftest.py", HAND_IN} <= names
    assert {"exercises/lstm.py", "exercises/plotting.py", "exercises/translation.py", "exercises/data/translation.npz"} <= names
    for exercise in COURSE:
        assert {f"exercises/{exercise.module}.py", f"exercises/tests/test_{exercise.id}.py"} <= names
    assert not [name for name in names if "__pycache__" in name or "/." in name or name.startswith((".", "gradebook"))]


def test_the_two_releases_differ_in_what_is_written_for_their_readers(both: dict[str, Released]):
    english, chinese = (files_of(both[assignment].folder) for assignment in ASSIGNMENTS.values())
    own = {"README.md", "pytest.ini", HAND_IN}
    assert {name for name in english.keys() & chinese.keys() if english[name] != chinese[name]} == own
    assert english.keys() ^ chinese.keys() == {"attention.ipynb", "attention-zh.ipynb"}


@pytest.mark.parametrize("assignment", ASSIGNMENTS.values())
def test_the_prompt_has_its_headings_and_no_answer(both: dict[str, Released], assignment: str):
    folder = both[assignment].folder
    nb = nbformat.read(folder / f"{assignment}.ipynb", as_version=4)
    (cell,) = (cell for cell in nb.cells if cell.id == "prompt")
    for text in (cell.source, (folder / HAND_IN).read_text(encoding="utf-8")):
        lines = {line for line in text.splitlines() if line}
        assert len([line for line in lines if line.startswith("#")]) >= 6
        assert {line for line in lines if not line.startswith("#")} == {"…"}


@pytest.mark.parametrize("assignment", ASSIGNMENTS.values())
def test_the_notebook_has_stubs_and_no_hidden_part(both: dict[str, Released], assignment: str):
    nb = nbformat.read(both[assignment].folder / f"{assignment}.ipynb", as_version=4)
    sources = {cell.metadata.nbgrader.grade_id: cell.source for cell in nb.cells if "nbgrader" in cell.metadata}
    for exercise in COURSE:
        assert "raise NotImplementedError(" in sources[exercise.id]
        assert f" {exercise.points:g} " in sources[f"grade-{exercise.id}"]
        assert "\n" not in sources[f"grade-{exercise.id}"]


def test_the_zip_holds_the_folder_and_its_bytes_depend_on_nothing_else(released: Released, tmp_path: Path):
    with zipfile.ZipFile(released.archive) as bundle:
        assert {name.removeprefix("attention/"): bundle.read(name) for name in bundle.namelist()} == files_of(released.folder)
    again = next(r for r in release(tmp_path) if r.assignment == "attention")
    assert again.archive.read_bytes() == released.archive.read_bytes()


@pytest.mark.parametrize("assignment", ASSIGNMENTS.values())
def test_a_release_has_no_leak(both: dict[str, Released], assignment: str):
    assert find_leaks(both[assignment].folder, Layout()) == []


def append(name: str, text: str) -> Callable[[Path], None]:
    def plant(folder: Path) -> None:
        path = folder / name
        path.write_text((path.read_text(encoding="utf-8") if path.exists() else "") + text, encoding="utf-8")

    return plant


def in_notebook(change: Callable[[nbformat.NotebookNode], object]) -> Callable[[Path], None]:
    def plant(folder: Path) -> None:
        nb = nbformat.read(folder / "attention.ipynb", as_version=4)
        change(next(cell for cell in nb.cells if cell.id == "set-up"))
        nbformat.write(nb, folder / "attention.ipynb")

    return plant


def hidden_test_text() -> str:
    text = Layout().hidden_test(COURSE[0]).read_text(encoding="utf-8")
    return "\n".join(line for line in text.splitlines() if not line.startswith(("from", "import", "@")))


def first_answer(lang: str) -> str:
    """The first paragraph of a model answer."""
    lines = Layout().model_answer(lang).read_text(encoding="utf-8").splitlines()
    return next(line for line in lines if line and not line.startswith("#"))


@pytest.mark.parametrize(
    ("plant", "told"),
    [
        (append("README.md", "\nWrite `return weights @ V, weights` there.\n"), "a line of the solution solutions/"),
        (
            append("exercises/tests/test_softmax.py", "\n    >>> exps/exps.sum( axis=axis,  keepdims=True )  # so\n"),
            "a line of the solution",
        ),
        (append("exercises/tests/more.py", hidden_test_text()), "text of "),
        (append("exercises/tests/test_masking.py", "\nfrom solutions.masking import causal_mask\n"), "an import from the grader's side"),
        (append("exercises/tests/student.py", "\nimportlib.import_module('autograder.course')\n"), "an import from the grader's side"),
        (append("exercises/tests/test_masking.py", "\nwant = reference.causal_mask(3)\n"), "text of a hidden test"),
        (append(HAND_IN, first_answer("en")), "a line of the solution solutions/prompt-attention-explainer.md:"),
        (append(HAND_IN, first_answer("zh")), "a line of the solution solutions/prompt-attention-explainer.zh.md:"),
        (append("exercises/old.pyc", "x"), "a kind of file that no release needs"),
        (in_notebook(lambda cell: cell.update(source="### BEGIN HIDDEN TESTS")), "a marker of what is to be cut"),
        (in_notebook(lambda cell: cell.update(source="from autograder.kernel import score")), "an import from the grader's side"),
        (in_notebook(lambda cell: cell.update(outputs=[nbformat.v4.new_output("stream", text="1")])), "an output"),
        (in_notebook(lambda cell: cell.metadata.update(old="x = np.concatenate(list(per_head), axis=1)")), "a line of the solution"),
    ],
)
def test_a_planted_leak_is_found(folder: Path, plant: Callable[[Path], None], told: str):
    plant(folder)
    leaks = [str(leak) for leak in find_leaks(folder, Layout())]
    assert any(told in leak for leak in leaks), leaks


def test_the_data_of_a_hidden_test_is_a_leak_and_other_data_is_none(folder: Path, tmp_path: Path):
    layout = copy_course(tmp_path / "course")
    (layout.hidden_tests / "data").mkdir(exist_ok=True)
    np.savez(layout.hidden_tests / "data" / "expected.npz", output=np.arange(3.0))
    shutil.copy(layout.hidden_tests / "data" / "expected.npz", folder / "exercises" / "more.npz")
    np.savez(folder / "exercises" / "lesson.npz", weights=np.arange(4.0))
    (leak,) = find_leaks(folder, layout)
    assert str(leak) == "exercises/more.npz, line 0: the data of a hidden test, autograder/hidden/data/expected.npz"


def test_a_leak_is_told_with_file_and_line(folder: Path):
    append("requirements.txt", "# return weights @ V, weights\nreturn weights @ V, weights\n")(folder)
    number = len((folder / "requirements.txt").read_text(encoding="utf-8").splitlines())
    (leak,) = find_leaks(folder, Layout())
    assert str(leak).startswith(f"requirements.txt, line {number}: a line of the solution solutions/")


def test_a_link_in_a_release_is_a_leak(folder: Path):
    (folder / "more.md").symlink_to(folder / "README.md")
    assert [str(leak) for leak in find_leaks(folder, Layout())] == ["more.md, line 0: a link, which may lead anywhere"]


def test_a_release_with_a_leak_does_not_go_out_and_leaves_the_last_one(tmp_path: Path):
    layout = copy_course(tmp_path / "course")
    out = tmp_path / "out"
    (out / "attention").mkdir(parents=True)
    (out / "attention" / "last.md").write_text("the last release", encoding="utf-8")
    edit(layout.source / "attention" / "README.md", "## Start", "    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(d_k)\n\n## Start")
    with pytest.raises(ReleaseError, match=r"attention/README\.md, line 5: a line of the solution solutions/"):
        release(out, layout)
    assert files_of(out) == {"attention/last.md": b"the last release"}


def test_a_release_of_stale_stubs_does_not_go_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    layout = copy_course(tmp_path / "course")
    layout.stub(COURSE[0]).unlink()
    assert run_release(tmp_path / "out", layout) == 1
    assert "exercises/softmax.py: out of date; run `autograder build`" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def generate_assignment(root: Path, assignment: str = "attention") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "nbgrader", "generate_assignment", assignment]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=120)


def test_a_file_of_no_exercise_stays_behind(tmp_path: Path):
    layout = copy_course(tmp_path)
    (layout.visible_tests / "test_spare.py").write_text("", encoding="utf-8")
    (layout.exercises / "spare.py").write_text("", encoding="utf-8")
    (layout.exercises / "__pycache__").mkdir(exist_ok=True)
    (layout.exercises / "__pycache__" / "softmax.pyc").write_bytes(b"")
    names = set(student_files(layout))
    assert "exercises/softmax.py" in names
    assert not [name for name in names if "spare" in name or "pyc" in name]


def test_nbgraders_own_command_makes_the_same_releases(both: dict[str, Released], tmp_path: Path):
    layout = copy_course(tmp_path)
    for assignment, released in both.items():
        run = generate_assignment(layout.root, assignment)
        assert run.returncode == 0, run.stderr
        assert files_of(layout.root / "release" / assignment) == files_of(released.folder)
    with Gradebook(f"sqlite:///{layout.root / 'gradebook.db'}") as gradebook:
        for assignment in both:
            (notebook,) = gradebook.find_assignment(assignment).notebooks
            assert notebook.max_score == sum(e.points for e in COURSE) + POINTS
            assert {cell.name for cell in notebook.grade_cells if cell.max_score} == {f"grade-{e.id}" for e in COURSE} | {GRADE_ID}


def test_nbgraders_own_command_fails_where_the_stubs_are_stale(tmp_path: Path):
    layout = copy_course(tmp_path)
    edit(layout.stub(COURSE[0]), "TODO 1", "TODO one")
    run = generate_assignment(layout.root)
    assert run.returncode != 0
    assert "exercises/softmax.py: out of date; run `autograder build`" in run.stderr
    assert not (layout.root / "release" / "attention").exists()
