"""What a course folder's nbgrader_config.py needs: `configure(c)`. Other assignments of the same course stay nbgrader's own."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.preprocessors import ClearOutput, Execute, SaveAutoGrades, SaveCells

from autograder.content.deliverable import TEXT_STUB
from autograder.content.include import IncludeExercises
from autograder.content.stubs import STUB_LINE
from autograder.gradebook.deadline import SaveCellsAndDeadline
from autograder.gradebook.exporter import SubmissionExporter
from autograder.gradebook.preprocessors import GradeInJail, KeepOutput, LeaveHints

IGNORED = (".ipynb_checkpoints", "*.pyc", "__pycache__", ".pytest_cache", ".DS_Store", "feedback")


def configure(c: Any) -> None:
    """Set up nbgrader for this kit's assignments, in the configuration object that nbgrader_config.py gets by `get_config()`.

    Call it after the course's own settings of `c.GenerateAssignment.preprocessors` and `c.Autograde.*_preprocessors`, where there
    are any: it keeps what they hold, and puts its own in the places of SaveCells, ClearOutput and Execute. Twice is as good as once.
    """
    # nbgrader runs `alembic`, of its own environment, by its bare name; without this the environment must be activated.
    folder = str(Path(sys.executable).parent)
    if folder not in os.environ.get("PATH", "").split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([folder, os.environ.get("PATH", "")])

    ignored = c.CourseDirectory.get("ignore", [])
    c.CourseDirectory.ignore = [*ignored, *(name for name in IGNORED if name not in ignored)]

    # The notebook's stubs read like those of exercises/ and outputs/.
    c.ClearSolutions.code_stub = {"python": STUB_LINE}
    c.ClearSolutions.text_stub = TEXT_STUB
    # exercises/ with the visible tests goes along; without it the check cells of the notebook have nothing to run.
    release = _listed(c.GenerateAssignment, "preprocessors", GenerateAssignment())
    c.GenerateAssignment.preprocessors = _in_place(_first(release, IncludeExercises), SaveCells, SaveCellsAndDeadline)

    c.Autograde.exporter_class = SubmissionExporter
    sanitize = _listed(c.Autograde, "sanitize_preprocessors", Autograde())
    grade = _listed(c.Autograde, "autograde_preprocessors", Autograde())
    c.Autograde.sanitize_preprocessors = _in_place(sanitize, ClearOutput, KeepOutput)
    c.Autograde.autograde_preprocessors = _after(_in_place(grade, Execute, GradeInJail), SaveAutoGrades, LeaveHints)
    c.OverwriteCells.add_missing_cells = True


def _listed(section: Any, name: str, owner: Any) -> list[Any]:
    """What the configuration holds so far, else nbgrader's default."""
    return list(section[name] if name in section else getattr(owner, name))


def _first(listed: list[Any], added: type) -> list[Any]:
    return listed if added in listed else [added, *listed]


def _in_place(listed: list[Any], old: type, new: type) -> list[Any]:
    """The list with `new` for `old`, which may be named by a string; first of all where there is neither."""
    if new in listed:
        return listed
    replaced = [new if _is(item, old) else item for item in listed]
    return replaced if new in replaced else [new, *replaced]


def _after(listed: list[Any], old: type, new: type) -> list[Any]:
    if new in listed:
        return listed
    places = [i for i, item in enumerate(listed) if _is(item, old)]
    at = places[-1] + 1 if places else len(listed)
    return [*listed[:at], new, *listed[at:]]


def _is(item: Any, cls: type) -> bool:
    return item is cls or (isinstance(item, str) and item.rpartition(".")[2] == cls.__name__)
