"""The README's walk-through with nbgrader, each command exactly as it is printed there."""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.course import COURSE, PROMPT_POINTS
from tests.conftest import ROOT, jail_or_skip
from tests.course_copy import copy_course

READMES = ("README.md", "README.zh-CN.md")
STUDENTS = {"ada", "bo", "chen", "dana", "emil", "farah"}


def commands(readme: str) -> list[str]:
    """The lines of the block below the mark, without their comments."""
    block = re.search(r"<!-- walk-through -->\n\n((?:    .*\n)+)", (ROOT / readme).read_text("utf-8"))
    assert block is not None
    return [line.partition("#")[0].strip() for line in block[1].splitlines()]


def test_both_languages_print_the_same_commands() -> None:
    assert commands(READMES[0]) == commands(READMES[1])


def test_the_walk_through_goes_from_the_sample_class_to_feedback_and_scores(tmp_path: Path) -> None:
    jail_or_skip("auto")
    copy_course(tmp_path)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path)}
    for command in commands(READMES[0]):
        done = subprocess.run(command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    pages = {path.parent.parent.name for path in tmp_path.glob("feedback/*/attention/attention.html")}
    assert pages == STUDENTS
    with (tmp_path / "grades.csv").open(newline="", encoding="utf-8") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file) if row["assignment"] == "attention"}
    assert set(rows) == STUDENTS
    assert float(rows["ada"]["raw_score"]) == pytest.approx(sum(e.points for e in COURSE))
    assert {float(row["max_score"]) for row in rows.values()} == {sum(e.points for e in COURSE) + PROMPT_POINTS}
