"""What the gradebook knows about a notebook: the cells of its release, as `generate_assignment` stored them.

The exporter asks for it, and everything that puts a student's cells in order goes by it: nothing of nbgrader's metadata is
taken from what a student handed in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from nbgrader.api import Gradebook, MissingEntry

from autograder.course import COURSE
from autograder.language import LANGUAGES

CHECK, GRADE = "check-{}", "grade-{}"

_HIDDEN = re.compile(r"^[^\n]*BEGIN HIDDEN TESTS.*?(?:END HIDDEN TESTS[^\n]*\n?|\Z)", re.DOTALL | re.MULTILINE)
_SPOKEN = re.compile(r"""\bscore\([^)]*\blang=["'](\w+)["']""")


@dataclass(frozen=True)
class KnownCell:
    """One cell of the release, with its hidden part. kind: code or markdown."""

    id: str
    kind: str
    source: str
    locked: bool
    grade: bool
    solution: bool
    task: bool
    points: float

    @property
    def by_hand(self) -> bool:
        """Whether a person grades it."""
        return self.task or (self.grade and (self.solution or self.kind != "code"))

    @property
    def to_be_there(self) -> bool:
        """Whether a notebook without it lacks something: a solution cell of points elsewhere may be gone."""
        return self.locked or self.grade or self.task

    @property
    def released(self) -> str:
        """Its text as students got it."""
        return without_hidden(self.source)


@dataclass(frozen=True)
class Expected:
    """One notebook of one assignment, by the ids of its cells."""

    cells: dict[str, KnownCell]

    @cached_property
    def exercises(self) -> tuple[str, ...]:
        """The exercises of the course that get their points in this notebook."""
        return tuple(exercise.id for exercise in COURSE if GRADE.format(exercise.id) in self.cells)

    @property
    def is_the_kits(self) -> bool:
        """Whether this kit grades the notebook; any other is nbgrader's business."""
        return bool(self.exercises)

    @cached_property
    def language(self) -> str | None:
        """The language that its grade cells speak; None where they leave it open."""
        found = (_SPOKEN.search(cell.source) for cell in self.cells.values() if cell.grade)
        return next((spoken[1] for spoken in found if spoken is not None and spoken[1] in LANGUAGES), None)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """Ids of all cells in the order of the course: solution, check, points; then what belongs to no exercise."""
        ids = [id for exercise in COURSE for id in (exercise.id, CHECK.format(exercise.id), GRADE.format(exercise.id))]
        return (*(id for id in ids if id in self.cells), *(id for id in self.cells if id not in ids))


def expected(db_url: str, assignment: str, notebook: str) -> Expected:
    """What the gradebook knows; no cells where it does not know the notebook."""
    with Gradebook(db_url) as gradebook:
        try:
            found = gradebook.find_notebook(notebook, assignment)
        except MissingEntry:
            return Expected({})
        points = {cell.name: float(cell.max_score) for cell in (*found.grade_cells, *found.task_cells)}
        graded = {cell.name for cell in found.grade_cells}
        solutions = {cell.name for cell in found.solution_cells}
        tasks = {cell.name for cell in found.task_cells}
        return Expected(
            {
                cell.name: KnownCell(
                    id=cell.name,
                    kind=cell.cell_type,
                    source=cell.source or "",
                    locked=bool(cell.locked),
                    grade=cell.name in graded,
                    solution=cell.name in solutions,
                    task=cell.name in tasks,
                    points=points.get(cell.name, 0.0),
                )
                for cell in found.source_cells
            }
        )


def notebooks_of(db_url: str, assignment: str) -> tuple[str, ...]:
    """The notebooks that an assignment has in the gradebook."""
    with Gradebook(db_url) as gradebook:
        try:
            return tuple(sorted(notebook.name for notebook in gradebook.find_assignment(assignment).notebooks))
        except MissingEntry:
            return ()


def without_hidden(source: str) -> str:
    """A cell's text without its hidden tests, as generate_assignment cuts them."""
    return _HIDDEN.sub("", source).rstrip("\n")
