"""Enters the course's deadline into nbgrader's gradebook, so that nbgrader itself knows what came late, and its late penalties too.

`configure` puts `SaveCellsAndDeadline` in the place of SaveCells. Where nbgrader is to save nothing, with `--no-db`, neither is this.
"""

from __future__ import annotations

from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import SaveCells

from autograder.content.include import is_the_kits
from autograder.course import DEADLINE


class SaveCellsAndDeadline(SaveCells):
    """Saves the cells, and DEADLINE as the assignment's due date. With None, and for other assignments, the due date stays what it is."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        nb, resources = super().preprocess(nb, resources)
        if DEADLINE is not None and is_the_kits(nb):
            with Gradebook(self.db_url) as gradebook:
                gradebook.update_or_create_assignment(self.assignment_id, duedate=DEADLINE)
        return nb, resources
