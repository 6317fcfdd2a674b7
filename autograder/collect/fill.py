"""Makes the notebook of one submission: modules written into the release's cells, a script as cells, or the notebook that came.

`collecting` calls it. The modules themselves go along beside the notebook, in exercises/: a cell's imports find them in any
kernel, and they are what is graded, since a notebook has one namespace for all exercises and modules have one each.
"""

from __future__ import annotations

import copy
import io
import json
import tokenize
from collections.abc import Mapping, Sequence
from typing import Any

from autograder.collect.released import Released, id_of, text_of
from autograder.content.deliverable import GRADE_ID, HAND_IN
from autograder.content.layout import ASSIGNMENTS
from autograder.course import COURSE, Exercise
from autograder.language import Text, speaking
from autograder.submissions import Cell
from autograder.submissions.kinds import EXERCISES
from autograder.submissions.layout import FILLED_IN
from autograder.submissions.notebooks import defines

# Relative imports need a package to start from, and `import softmax` a folder to look in, as the grader gives them to a module.
SET_UP = """\
# {note}
import sys

sys.path.insert(1, "exercises")
__package__ = "exercises\""""

NOTE = Text(
    "The cells below hold the modules that were handed in, and exercises/ the same modules as files, which are graded.\n"
    "# With these lines the modules find each other in this notebook too.",
    "下面的单元格里是提交的模块；exercises/ 里是同样的模块文件，评分以文件为准。\n# 有了这几行，各模块在笔记本里也能互相导入。",
)


def from_modules(release: Released, files: Mapping[str, bytes]) -> bytes:
    """The release's notebook with each module that was handed in as its exercise's solution cell, imports included."""
    notebook = copy.deepcopy(release.notebook)
    for cell in notebook["cells"]:
        module = files.get(f"{EXERCISES}/{id_of(cell)}.py")
        if module is not None and id_of(cell) in _EXERCISES:
            cell["source"] = source_text(module)
    with speaking(_language(release)):
        set_up = _code_cell(SET_UP.format(note=NOTE), FILLED_IN)
    notebook["cells"].insert(0, set_up)
    _put_prompt(notebook, release, files)
    return _written(notebook)


def from_cells(release: Released, cells: Sequence[Cell], files: Mapping[str, bytes]) -> bytes:
    """A notebook of cells that came without one, as in a notebook saved as a script.

    They keep their order. One that alone defines an exercise becomes its solution cell; the release's stubs of the other
    exercises stand before them, and its check and grade cells after them.
    """
    homes = {place: exercise.id for exercise in COURSE if (place := _only_place(exercise, cells)) is not None}
    by_id = {id_of(cell): cell for cell in copy.deepcopy(release.cells) if id_of(cell)}
    new: list[dict[str, Any]] = []
    for i, cell in enumerate(cells):
        home = homes.get(i)
        new.append({**by_id.pop(home), "source": cell.source} if home is not None else _code_cell(cell.source, f"cell-{i}"))
    stubs = [by_id.pop(exercise.id) for exercise in COURSE if exercise.id in by_id]
    notebook = {**copy.deepcopy(release.notebook), "cells": [*stubs, *new, *by_id.values()]}
    _put_prompt(notebook, release, files)
    return _written(notebook)


def as_it_came(release: Released, raw: bytes, files: Mapping[str, bytes]) -> bytes:
    """The notebook that came, byte for byte where it is UTF-8, else the same JSON in UTF-8.

    Where its cell for the written answer is as it was given out, and the file for it is not, the cell takes the file's text:
    nbgrader shows the cell alone, and gives an untouched one 0 points.
    """
    notebook = parsed(raw)
    if _put_prompt(notebook, release, files) or not _is_plain_utf8(raw):
        return _written(notebook)
    return raw


def parsed(raw: bytes) -> dict[str, Any]:
    """The notebook in a file that `open_submission` has read, whatever its encoding."""
    text = raw.decode(json.detect_encoding(raw), "replace").removeprefix("\ufeff")
    notebook: dict[str, Any] = json.loads(text)
    return notebook


def cells_of(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """A notebook's cells as they stand in the file; none in formats before nbformat 4."""
    cells = notebook.get("cells")
    return [cell for cell in cells if isinstance(cell, dict)] if isinstance(cells, list) else []


def source_text(module: bytes) -> str:
    """A module's text, by the encoding that it declares, with the line ends of a notebook."""
    try:
        text = module.decode(tokenize.detect_encoding(io.BytesIO(module).readline)[0])
    except (SyntaxError, LookupError, ValueError):  # a wrong declaration; Python would not read it either
        text = module.decode("utf-8", "replace")
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")


_EXERCISES = frozenset(exercise.id for exercise in COURSE)


def _only_place(exercise: Exercise, cells: Sequence[Cell]) -> int | None:
    """The cell that defines this exercise and no other, where there is one and no second."""
    places = [i for i, cell in enumerate(cells) if defines(cell.source, exercise)]
    if len(places) != 1 or sum(defines(cells[places[0]].source, other) for other in COURSE) > 1:
        return None
    return places[0]


def _put_prompt(notebook: dict[str, Any], release: Released, files: Mapping[str, bytes]) -> bool:
    """Write the answer that was handed in as a file into its cell, where that cell is untouched; whether it was."""
    answer = files.get(HAND_IN, b"")
    if not answer.strip() or _same(answer, release.prompt_file):
        return False
    untouched = next((text_of(cell) for cell in release.cells if id_of(cell) == GRADE_ID), None)
    for cell in cells_of(notebook):
        if id_of(cell) == GRADE_ID and text_of(cell) == untouched:
            cell["source"] = source_text(answer)
            return True
    return False


def _same(one: bytes, other: bytes) -> bool:
    return one.split() == other.split()


def _language(release: Released) -> str:
    return next((lang for lang, assignment in ASSIGNMENTS.items() if assignment == release.assignment), "en")


def _code_cell(source: str, cell_id: str) -> dict[str, Any]:
    return {"cell_type": "code", "execution_count": None, "id": cell_id, "metadata": {}, "outputs": [], "source": source}


def _is_plain_utf8(raw: bytes) -> bool:
    try:
        return not raw.decode("utf-8").startswith("\ufeff")
    except UnicodeDecodeError:
        return False


def _written(notebook: dict[str, Any]) -> bytes:
    return (json.dumps(notebook, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")
