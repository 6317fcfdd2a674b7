"""A course folder with nbgrader in it, for tests: configuration, released assignments, and notebooks that students hand in."""

from __future__ import annotations

import copy
import shutil
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from autograder.content.notebooks import grade_id_of
from tests.conftest import ROOT

CONFIGURATION = """\
from autograder.gradebook import configure

c = get_config()
c.CourseDirectory.course_id = "nlp"
configure(c)
"""
LANGUAGES = {"attention": "en", "attention-zh": "zh"}


class Course:
    """A course folder of its own: it holds nothing of the kit's but configuration and sources.

    exercises: those that the notebooks keep. whole: with all prose and demonstrations, which take time to run.
    """

    def __init__(self, root: Path, exercises: Collection[str], configuration: str = CONFIGURATION, *, whole: bool = False):
        self.root = root
        (root / "nbgrader_config.py").write_text(configuration, encoding="utf-8")
        kept = {"prompt", *(f"{kind}{id}" for id in exercises for kind in ("", "check-", "grade-"))}
        self.solutions: dict[str, dict[str, str]] = {}
        for assignment in LANGUAGES:
            shutil.copytree(ROOT / "source" / assignment, root / "source" / assignment)
            path = root / "source" / assignment / f"{assignment}.ipynb"
            notebook = nbformat.read(path, as_version=4)
            notebook.cells = [
                cell for i, cell in enumerate(notebook.cells) if grade_id_of(cell) in kept or i < 3 or (whole and not grade_id_of(cell))
            ]
            nbformat.write(notebook, path)
            self.solutions[assignment] = {grade_id_of(cell): cell.source for cell in notebook.cells}

    def config(self, **overrides: Any) -> Config:
        """What nbgrader reads in this folder; overrides: `JailedGrading={"seed": 5}`."""
        config = PyFileConfigLoader("nbgrader_config.py", path=str(self.root)).load_config()
        config.CourseDirectory.root = str(self.root)
        for section, values in overrides.items():
            config[section].update(values)
        return config

    def api(self, config: Config | None = None) -> NbGraderAPI:
        """nbgrader, in this process."""
        config = config or self.config()
        return NbGraderAPI(CourseDirectory(config=config), config=config)

    def released(self, assignment: str = "attention") -> NotebookNode:
        """The notebook as students get it."""
        return nbformat.read(self.root / "release" / assignment / f"{assignment}.ipynb", as_version=4)

    def solved(self, *exercises: str, assignment: str = "attention") -> NotebookNode:
        """The notebook with these exercises done as in the reference."""
        notebook = self.released(assignment)
        for id in exercises:
            cell(notebook, id).source = self.solutions[assignment][id]
        return notebook

    def folder(self, student: str, assignment: str = "attention") -> Path:
        return self.root / "submitted" / student / assignment

    def hand_in(
        self, student: str, content: NotebookNode | bytes, *, name: str = "", assignment: str = "attention", release: bool = False
    ) -> Path:
        """Put a notebook where nbgrader's collect puts it; release: with all that lay beside it in the release."""
        folder = self.folder(student, assignment)
        if release:
            shutil.copytree(self.root / "release" / assignment, folder, ignore=shutil.ignore_patterns("*.ipynb"))
        path = folder / (name or f"{assignment}.ipynb")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else nbformat.writes(content).encode())
        return path


def cell(notebook: NotebookNode, grade_id: str) -> NotebookNode:
    """The cell with this grade_id."""
    return next(cell for cell in notebook.cells if grade_id_of(cell) == grade_id)


def without(notebook: NotebookNode, *grade_ids: str) -> NotebookNode:
    """The notebook with these cells deleted."""
    notebook.cells = [cell for cell in notebook.cells if grade_id_of(cell) not in grade_ids]
    return notebook


def doubled(notebook: NotebookNode, grade_id: str, change: Callable[[NotebookNode], object] = lambda cell: None) -> NotebookNode:
    """The notebook with a copy of a cell behind it, as JupyterLab makes one: the metadata is the same."""
    at = next(i for i, cell in enumerate(notebook.cells) if grade_id_of(cell) == grade_id)
    twin = copy.deepcopy(notebook.cells[at])
    twin.id = "twin"
    change(twin)
    notebook.cells.insert(at + 1, twin)
    return notebook
