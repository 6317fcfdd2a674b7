"""CONTRIBUTING.md's worked example: the files that the page counts, and no other, add a sixteenth exercise to a copy of the course."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

from tests.conftest import ROOT, jail_or_skip
from tests.course_copy import copy_course

EXAMPLE = ROOT / "examples" / "sixteenth"
PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
ID = "sliding_window"
RIGHT = "behind < window"
WRONG = "behind <= window"  # one key too many


def counted(*kinds: str) -> set[str]:
    """The files of the page's table that are changed, new or generated."""
    table = PAGE.partition("<!-- files of an exercise -->")[2].partition("\n\n1. ")[0]
    rows = re.findall(r"^\| `([^`]+)`[^|]*\| (\w+) \|", table, re.MULTILINE)
    return {name for name, kind in rows if kind in kinds}


def command(root: Path, *words: str) -> str:
    """What a command prints that runs on the copy of the course, kit included."""
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, *words], cwd=root, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}{done.stderr}"
    return done.stdout


def contents(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def changed(before: dict[str, bytes], after: dict[str, bytes]) -> set[str]:
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def test_the_page_counts_six_files_by_hand_and_five_generated() -> None:
    assert len(counted("new", "changed")) == 6
    assert len(counted("generated")) == 5
    assert "the six files below" in PAGE and "everything else: five files" in PAGE


def test_the_files_on_the_page_add_an_exercise_that_is_checked_graded_and_released(tmp_path: Path) -> None:
    """One test, since the build and its check take a while: they run everything that the course has."""
    jail_or_skip("auto")
    root = copy_course(tmp_path / "clone").root
    before = contents(root)
    command(ROOT, str(EXAMPLE / "apply.py"), str(root))
    by_hand = contents(root)
    assert changed(before, by_hand) == counted("new", "changed")
    assert by_hand.keys() - before.keys() == counted("new")
    command(root, "-m", "autograder", "build")
    assert changed(before, contents(root)) == counted("new", "changed", "generated")

    # The check grades the solution, which must get every point, and the stub, which must get none.
    said = re.search(r"make check +# (.+)", PAGE)
    assert said is not None
    assert command(root, "-m", "autograder", "build", "--check") == f"{said[1]}\n"

    points = graded(root, tmp_path)
    assert points["right"] == 3.0
    assert points["wrong"] < 1.0

    command(root, "-m", "autograder", "release", "--out", str(tmp_path / "release"))
    for assignment in ("attention", "attention-zh"):
        holds_the_exercise_without_its_answer(tmp_path / "release" / assignment)


def graded(root: Path, scratch: Path) -> dict[str, float]:
    """What a right submission and a wrong one get for the exercise."""
    solution = (EXAMPLE / "solutions" / f"{ID}.py").read_text("utf-8").replace("from solutions.", "from exercises.")
    assert RIGHT in solution
    for student, module in (("right", solution), ("wrong", solution.replace(RIGHT, WRONG))):
        path = scratch / "submissions" / student / "exercises" / f"{ID}.py"
        path.parent.mkdir(parents=True)
        path.write_text(module, "utf-8")
    command(root, "-m", "autograder", "grade", str(scratch / "submissions"), "--out", str(scratch / "graded"), "--exercise", ID)
    with (scratch / "graded" / "grades.csv").open(newline="", encoding="utf-8") as file:
        return {row["student"]: float(row[ID]) for row in csv.DictReader(file)}


def holds_the_exercise_without_its_answer(release: Path) -> None:
    stub = (release / "exercises" / f"{ID}.py").read_text("utf-8")
    assert "raise NotImplementedError" in stub and RIGHT not in stub
    assert (release / "exercises" / "tests" / f"test_{ID}.py").is_file()
    notebook = (release / f"{release.name}.ipynb").read_text("utf-8")
    assert f"grade-{ID}" in notebook and "def sliding_window_attention" in notebook and RIGHT not in notebook
    title = (EXAMPLE / "source" / release.name / "section.md").read_text("utf-8").splitlines()[0]
    assert title in notebook


def test_the_code_on_the_page_is_that_of_the_example() -> None:
    texts = [path.read_text("utf-8") for path in EXAMPLE.rglob("*") if path.suffix in (".py", ".txt")]
    blocks = re.findall(r"^ {3}```python\n(.*?)^ {3}```", PAGE, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 4
    for block in blocks:
        code = textwrap.dedent(re.sub(r"^ {3}", "", block, flags=re.MULTILINE))
        assert any(code in textwrap.dedent(text) or textwrap.indent(code, "    ") in text for text in texts), code
