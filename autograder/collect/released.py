"""The assignment as students got it: its notebook, and what its cells import. `fill` writes a student's modules into it."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from autograder.content.deliverable import GRADE_ID, HAND_IN
from autograder.content.layout import ASSIGNMENTS, Layout, Misplaced
from autograder.course import COURSE
from autograder.language import say
from autograder.submissions.kinds import EXERCISES

_STUBS = frozenset(f"{EXERCISES}/{exercise.module}.py" for exercise in COURSE)


class NotReleased(Exception):
    """The assignment's release is not there or is not this course's; the text says what to do."""


@dataclass(frozen=True)
class Released:
    """One assignment as students got it. files: path beside the notebook -> content."""

    assignment: str
    notebook: dict[str, Any]
    files: dict[str, bytes]

    @property
    def cells(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.notebook["cells"]
        return found

    @property
    def support(self) -> dict[str, bytes]:
        """What check cells and solutions import from exercises/: its package, provided modules and tests, and none of the stubs."""
        return {path: data for path, data in self.files.items() if path.startswith(f"{EXERCISES}/") and path not in _STUBS}

    @property
    def prompt_file(self) -> bytes:
        """The file in which the written answer may be handed in, as it was given out."""
        return self.files.get(HAND_IN, b"")

    @cached_property
    def texts(self) -> frozenset[str]:
        """The texts of all cells that a student has no reason to change, to know the assignment by."""
        return frozenset(text_of(cell).strip() for cell in self.cells if id_of(cell) not in _SOLUTIONS) - {""}


_SOLUTIONS = frozenset((*(exercise.id for exercise in COURSE), GRADE_ID))


def id_of(cell: dict[str, Any]) -> str:
    """nbgrader's id of a cell as it stands in a file, empty where it has none."""
    metadata = cell.get("metadata")
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    grade_id = nbgrader.get("grade_id") if isinstance(nbgrader, dict) else None
    return grade_id if isinstance(grade_id, str) else ""


def text_of(cell: dict[str, Any]) -> str:
    """The text of a cell as it stands in a file."""
    source = cell.get("source")
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    return source if isinstance(source, str) else ""


def released(assignment: str, folder: Path | None = None) -> Released:
    """The release of one assignment: from nbgrader's release folder, or where None is given made from source/ as for students.

    Raises NotReleased.
    """
    if folder is not None:
        return _read(assignment, folder / assignment)
    from autograder.content.release import ReleaseError, generate

    try:
        layout = Layout()
        with tempfile.TemporaryDirectory(prefix="autograder-collect-") as scratch:
            return _read(assignment, generate(assignment, Path(scratch), layout))
    except (Misplaced, ReleaseError) as error:
        raise NotReleased(
            say(
                f"The notebook of {assignment} cannot be made here ({error}); name a release folder with --release.",
                f"这里无法生成 {assignment} 的笔记本（{error}）；请用 --release 指定发布文件夹。",
            )
        ) from None


def _read(assignment: str, folder: Path) -> Released:
    path = folder / f"{assignment}.ipynb"
    try:
        notebook = json.loads(path.read_bytes())
        files = {file.relative_to(folder).as_posix(): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}
    except (OSError, ValueError) as error:
        raise _unusable(path, str(error)) from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise _unusable(path, say("it is no notebook", "它不是笔记本"))
    there = {id_of(cell) for cell in cells}
    lacking = [exercise.id for exercise in COURSE if exercise.id not in there]
    if lacking:
        listed = ", ".join(lacking)
        raise _unusable(path, say(f"it has no solution cell for {listed}", f"其中没有这些练习的解答单元格：{listed}"))
    beside = {name: data for name, data in files.items() if not name.endswith(".ipynb") and "__pycache__" not in name.split("/")}
    return Released(assignment, notebook, beside)


def _unusable(path: Path, why: str) -> NotReleased:
    return NotReleased(
        say(
            f"{path} cannot be used ({why}): make it again with `nbgrader generate_assignment` or `autograder release`.",
            f"无法使用 {path}（{why}）：请用 nbgrader generate_assignment 或 autograder release 重新生成。",
        )
    )


def assignment_of(cells: list[dict[str, Any]], among: list[Released]) -> str:
    """The assignment that a notebook came from: the one with most of whose texts it still has; of equals the first."""
    texts = {text_of(cell).strip() for cell in cells}
    return max(among, key=lambda release: len(release.texts & texts)).assignment


def assignments() -> tuple[str, ...]:
    """The names of this course's assignments."""
    return tuple(ASSIGNMENTS.values())
