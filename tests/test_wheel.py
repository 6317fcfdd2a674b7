"""The kit as a wheel: it grades alone, and makes a release in a clone of the course that it was made of."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from autograder import __version__
from tests.conftest import ROOT, jail_or_skip
from tests.course_copy import copy_course, edit

WHERE_PIP_BUILDS = ("pyproject.toml", "README.md", "LICENSE")


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = copy_course(tmp_path_factory.mktemp("clone") / "course").root
    for name in WHERE_PIP_BUILDS:
        shutil.copy(ROOT / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def installed(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds what the wheel installs."""
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(out / "made"), str(clone)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = (out / "made").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(out / "installed")
    return out / "installed"


def autograder(installed: Path, folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """The installed command, started in a folder. It finds the packages that it needs where this test found them."""
    command = [sys.executable, "-P", "-c", "import sys; from autograder.cli import main; sys.exit(main())", *map(str, arguments)]
    env = {**os.environ, "PYTHONPATH": str(installed)}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


def test_it_says_its_version(installed: Path, tmp_path: Path) -> None:
    assert __version__ in autograder(installed, tmp_path, "--version").stdout


def test_it_grades(installed: Path, tmp_path: Path) -> None:
    jail_or_skip("auto")
    done = autograder(installed, tmp_path, "grade", ROOT / "examples" / "submissions" / "ada", "--out", "graded", "--seed", 3)
    assert done.returncode == 0, done.stderr
    with (tmp_path / "graded" / "grades.csv").open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["student"], row["score"], row["bonus"]) == ("ada", "100.0", "15.0")
    assert (tmp_path / "graded" / "summary.html").is_file()
    assert (tmp_path / "graded" / "ada" / "feedback.html").is_file()


def test_it_makes_a_release_in_a_clone_of_its_course_alone(installed: Path, clone: Path, tmp_path: Path) -> None:
    done = autograder(installed, clone, "release", "--out", tmp_path / "release")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "release" / "attention.zip").is_file()
    other = copy_course(tmp_path / "other").root
    edit(other / "autograder" / "course.py", "points=10", "points=11")
    for folder in (tmp_path, other):
        done = autograder(installed, folder, "release", "--out", tmp_path / "none")
        assert done.returncode == 2
        assert "pip install -e ." in done.stderr
        assert not (tmp_path / "none").exists()
