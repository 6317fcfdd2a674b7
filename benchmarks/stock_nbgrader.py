"""`nbgrader autograde` on the equal assignment: stock in an environment without this kit, and with this kit in place of its Execute.

One locked cell for each exercise, with partial credit, is nbgrader's quickest way to give points for many tests. It grades one
submission after the other; for two jobs each half of the class has a process of its own, and both share the gradebook.
"""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import nbformat

from benchmarks.assignment import NAME, Assignment
from benchmarks.environments import Environment
from benchmarks.recording import SEED
from benchmarks.timing import Failed, Timing, run, run_together, written

STOCK = """\
c = get_config()
c.CourseDirectory.course_id = "bench"
c.Execute.shutdown_kernel = "immediate"  # the default lets each kernel say goodbye first
"""
WITH_THE_KIT = f"""\
from autograder.gradebook import configure

c = get_config()
c.CourseDirectory.course_id = "bench"
configure(c)
c.JailedGrading.seed = {SEED}
"""
HALVES = ("a*", "b*")


def prepare(course: Path, assignment: Assignment, students: int, environment: Environment, configuration: str) -> None:
    """A course folder with the released assignment and what its students handed in."""
    source = course / "source" / NAME
    assignment.support(source)
    nbformat.write(assignment.notebook(None, for_nbgrader=True), source / f"{NAME}.ipynb")
    (course / "nbgrader_config.py").write_text(configuration)
    run([environment.python, "-m", "nbgrader", "generate_assignment", NAME], folder=course, env=environment.variables)
    assignment.hand_in(course / "submitted", students)


def grade(course: Path, scratch: Path, assignment: Assignment, jobs: int, environment: Environment) -> Timing:
    """Grade a copy of the course."""
    copy = shutil.copytree(course, scratch / "course")
    command = [environment.python, "-m", "nbgrader", "autograde", NAME]
    commands = [command] if jobs == 1 else [[*command, f"--student={half}"] for half in HALVES]
    seconds, _ = run_together(commands, jobs, folder=copy, env=environment.variables)
    notebooks = [*copy.glob(f"autograded/*/{NAME}/{NAME}.ipynb")]
    check(copy / "gradebook.db", assignment.points * len(notebooks))
    return Timing(jobs, seconds, written(notebooks))


def check(gradebook: Path, points: float) -> None:
    """Failed where the class did not get these points."""
    with sqlite3.connect(gradebook) as database:
        (given,) = database.execute("SELECT sum(auto_score) FROM grade").fetchone()
    if given is None or abs(given - points) > 1e-6:
        raise Failed(f"nbgrader gave {given} points instead of {points}")
