"""docs/privacy.md, followed command by command: afterwards no file names the student who was to be deleted."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.cli import main
from autograder.course import COURSE
from autograder.submissions import folder_name
from tests.conftest import ROOT, jail_or_skip, solutions
from tests.nbgrader_course import Course

PAGES = ("docs/privacy.md", "docs/privacy.zh-CN.md")
STUDENTS = ("ada", "gita rao", "zoe")
GONE = "gita rao"  # with a blank, so that the folder of the report has another name
LIKE = "zoe"  # hands in the same as GONE did


def commands(part: str, page: str = PAGES[0]) -> list[str]:
    """The lines of the block below a mark, without their comments."""
    block = re.search(rf"<!-- delete: {part} -->\n\n((?:    .*\n)+)", (ROOT / page).read_text("utf-8"))
    assert block is not None
    return [line.partition(" #")[0].strip() for line in block[1].splitlines()]


def run(command: str, folder: Path, student: str, report: str, umask: int = -1) -> str:
    """Run one command of the page for this student and folder, which stand in quotes there or need them; what it prints."""
    for word, name in (("ID", student), ("FOLDER", report)):
        command = command.replace(f"'{word}'", f"'{name}'").replace(f"'*{word}*'", f"'*{name}*'").replace(word, shlex.quote(name))
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, umask=umask)
    assert done.returncode == 0 or command.startswith("grep"), f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def naming(folder: Path, *names: str) -> Iterator[str]:
    """The files and folders that have one of these in their name or content."""
    for path in sorted(folder.rglob("*")):
        held = path.name.encode() + (path.read_bytes() if path.is_file() else b"")
        if any(name.encode() in held for name in names):
            yield path.relative_to(folder).as_posix()


def class_in(folder: Path) -> None:
    """Two who handed in the same, the sample class's own work, and one who did not."""
    for student in STUDENTS:
        place = folder / "submissions" / student / "exercises"
        if student == "ada":
            place.mkdir(parents=True)
            (place / "softmax.py").write_bytes(solutions()["exercises/softmax.py"] + b"\nprint(softmax([1.0]))\n")
        else:
            shutil.copytree(ROOT / "examples" / "submissions" / "ada" / "exercises", place)


def listed(name: str) -> str:
    """A path of the folder `graded` as the page's table has it."""
    for folder in map(folder_name, STUDENTS):
        name = name.replace(f"/{folder}/", "/<folder>/").replace(f"/{folder}.json", "/<folder>.json")
    return name


def open_to_others(folder: Path) -> set[str]:
    """The files that everybody with an account on the machine can read."""
    return {path.name for path in folder.rglob("*") if path.is_file() and path.stat().st_mode & 0o044}


def test_both_languages_print_the_same_commands() -> None:
    for part in ("grade", "nbgrader", "check"):
        assert commands(part, PAGES[0]) == commands(part, PAGES[1])


def test_what_grade_writes_is_listed_closed_by_the_umask_and_forgets_a_student(tmp_path: Path) -> None:
    jail_or_skip("auto")
    class_in(tmp_path)
    graded, report = tmp_path / "graded", folder_name(GONE)
    grade = next(command for command in commands("grade") if command.startswith("autograder"))
    run(f"{grade} --exercise softmax --similarity", tmp_path, GONE, report, umask=0o077)

    files = {path.relative_to(tmp_path).as_posix() for path in graded.rglob("*") if path.is_file()}
    for page in PAGES:
        assert {listed(name) for name in files} <= set(re.findall(r"`(graded/[^`*]+)`", (ROOT / page).read_text("utf-8")))
    assert open_to_others(graded) == set()
    assert {"grades.csv", "summary.html", "similarity.csv", f"{report}/report.json"} <= set(naming(graded, GONE, report))

    kept = (graded / LIKE / "report.json").stat().st_mtime_ns
    for command in commands("grade"):
        run(f"{command} --exercise softmax" if command == grade else command, tmp_path, GONE, report, umask=0o022)

    assert list(naming(tmp_path, GONE, report)) == []
    assert LIKE in (graded / "grades.csv").read_text("utf-8")
    assert (graded / LIKE / "report.json").stat().st_mtime_ns == kept, "nobody is graded twice"
    assert open_to_others(graded) == {"grades.csv", "summary.html"}, "what was written under the usual umask"


def test_what_collect_and_nbgrader_write_forgets_a_student(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jail_or_skip("auto")
    monkeypatch.chdir(tmp_path)
    api = Course(tmp_path, [exercise.id for exercise in COURSE]).api()
    assert api.generate_assignment("attention")["success"]
    class_in(tmp_path)
    shutil.rmtree(tmp_path / "submissions" / LIKE)
    assert main(["collect", "submissions", "--out", "submitted", "--assignment", "attention", "--release", "release"]) == 0
    (folder,) = (path.name for path in (tmp_path / "submitted").iterdir() if path.is_dir() and path.name != "ada")
    for student in ("ada", folder):
        assert api.autograde("attention", student)["success"]
    assert api.generate_feedback("attention", folder)["success"]
    (tmp_path / "grades.csv").write_text(f"of an earlier export\n{folder}\n", "utf-8")
    (tmp_path / "graded").mkdir()
    named = {path.partition("/")[0] for path in naming(tmp_path, folder, GONE)}
    assert named == {"submissions", "submitted", "autograded", "feedback", "gradebook.db", "grades.csv"}

    shutil.rmtree(tmp_path / "submissions" / GONE)
    for command in commands("nbgrader"):
        run(command, tmp_path, folder, folder)

    assert list(naming(tmp_path, folder, GONE)) == []
    assert [run(command, tmp_path, GONE, folder) for command in commands("check")] == ["", ""]
    assert "ada" in (tmp_path / "grades.csv").read_text("utf-8")
    assert (tmp_path / "submitted" / "collected.csv").read_text("utf-8").count("\n") == 2, "the columns and one student"
