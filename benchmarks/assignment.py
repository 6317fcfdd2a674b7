"""An equal assignment for each grader: notebooks of the same students, and the recorded calls as each grader's own kind of test.

A student's notebook has one cell for each exercise with the right solution, in a text of their own. The checks make the calls of the
hidden tests and assert that each answer is the reference's; tests.pickle holds inputs and answers, so that nothing is computed twice.
"""

from __future__ import annotations

import pickle
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from autograder.content.layout import Layout
from autograder.content.notebooks import METADATA, grade_id_of
from autograder.course import COURSE
from benchmarks import calls
from benchmarks.calls import Test

NAME = "attention"
FOUR = tuple(exercise.id for exercise in COURSE[:4])
ALL = tuple(exercise.id for exercise in COURSE)


@dataclass(frozen=True)
class Assignment:
    """Some exercises, and the recorded tests that grade them."""

    exercises: tuple[str, ...]
    tests: Mapping[str, Sequence[Test]]

    @classmethod
    def of(cls, exercises: tuple[str, ...], recorded: Path) -> Assignment:
        """The assignment with these exercises."""
        tests = calls.load(recorded)
        return cls(exercises, {exercise: tests[exercise] for exercise in exercises})

    @cached_property
    def points(self) -> float:
        """What a complete right submission gets."""
        return sum(worth for tests in self.tests.values() for _, worth, _ in tests)

    @cached_property
    def solutions(self) -> dict[str, str]:
        """The right code cell of each exercise."""
        notebook = nbformat.read(Layout().source / NAME / f"{NAME}.ipynb", as_version=4)
        return {grade_id_of(cell): cell.source for cell in notebook.cells if grade_id_of(cell) in self.exercises}

    def support(self, folder: Path) -> list[Path]:
        """Write what lies beside the notebook into a folder: the module that is provided, and the checks; their paths."""
        (folder / "exercises").mkdir(parents=True)
        (folder / "exercises" / "__init__.py").touch()
        shutil.copy(Layout().exercises / "lstm.py", folder / "exercises")
        shutil.copy(Path(calls.__file__), folder / "calls.py")
        (folder / "calls.pickle").write_bytes(pickle.dumps(dict(self.tests), protocol=5))
        return [folder / name for name in ("exercises/__init__.py", "exercises/lstm.py", "calls.py", "calls.pickle")]

    def notebook(self, number: int | None, *, for_nbgrader: bool) -> NotebookNode:
        """What one student hands in; None: the instructor's. for_nbgrader: with its metadata and locked cells."""
        cells = []
        for exercise in self.exercises:
            own = "" if number is None else f"\n# student {number}"
            solution = new_code_cell(self.solutions[exercise] + own)
            cells.append(solution)
            if for_nbgrader:
                solution.metadata["nbgrader"] = cell_of_nbgrader(exercise, solution=True)
                check = GRADE if number is None else WITHOUT_HIDDEN_TESTS
                cells.append(new_code_cell(check.format(exercise=exercise)))
                points = sum(worth for _, worth, _ in self.tests[exercise])
                cells[-1].metadata["nbgrader"] = cell_of_nbgrader(f"grade-{exercise}", solution=False) | {"points": points}
        notebook = new_notebook(cells=cells, metadata=METADATA)
        for place, cell in enumerate(notebook.cells):
            cell.id = f"cell-{place}"
        return notebook

    def hand_in(self, folder: Path, students: int) -> None:
        """The class as in nbgrader's submitted/."""
        for number, student in enumerate(names_of(students)):
            target = folder / student / NAME
            target.mkdir(parents=True)
            nbformat.write(self.notebook(number, for_nbgrader=True), target / f"{NAME}.ipynb")


WITHOUT_HIDDEN_TESTS = "# Points are given here."
GRADE = """\
# Points are given here.
### BEGIN HIDDEN TESTS
import calls

calls.earned("{exercise}", globals())
### END HIDDEN TESTS"""


def cell_of_nbgrader(grade_id: str, *, solution: bool) -> dict[str, object]:
    """nbgrader's metadata of a solution cell, or of a locked cell that carries points."""
    flags = {"grade": not solution, "locked": not solution, "solution": solution, "task": False}
    return {"grade_id": grade_id, "schema_version": 3, "cell_type": "code", **flags}


def names_of(students: int) -> list[str]:
    """The students' ids; a and b by turns, so that a pattern takes one half."""
    return [f"{'ab'[number % 2]}{number:04}" for number in range(students)]
