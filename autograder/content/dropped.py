"""Exercises that were taken out of COURSE: their files and their sections in the notebooks stay where they are, and no student gets them.

Build, content check and release ask. One was taken out where all that people write of it is there without an entry in COURSE; a
solution or a test alone is a stray file.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Sequence

import nbformat
from nbformat import NotebookNode

from autograder.content.layout import Layout
from autograder.content.notebooks import cell_ids, grade_id_of
from autograder.course import COURSE

_SECTION = re.compile(r"^##? \S", re.MULTILINE)  # what begins one, in a Markdown cell


def dropped(layout: Layout) -> list[str]:
    """The ids of the exercises that were taken out, in the order of their names."""
    known = {exercise.id for exercise in COURSE}
    found = sorted(path.stem for path in layout.solutions.glob("*.py"))
    tests = (layout.visible_tests, layout.hidden_tests)
    return [id for id in found if id not in known and all((folder / f"test_{id}.py").is_file() for folder in tests)]


def without(cells: Sequence[NotebookNode], ids: Sequence[str]) -> list[NotebookNode]:
    """A notebook's cells but for the sections of these exercises."""
    out = {place for id in ids for place in _section(cells, id)}
    return [cell for place, cell in enumerate(cells) if place not in out]


def _section(cells: Sequence[NotebookNode], id: str) -> list[int]:
    """The places of an exercise's cells and of the prose and examples around them: from the heading before its cell to the next one.

    Its own three cells alone where there is no such heading, or another exercise has a cell below it too.
    """
    own = set(cell_ids(id))
    here = [place for place, cell in enumerate(cells) if grade_id_of(cell) in own]
    if not here:
        return []
    heads = [place for place, cell in enumerate(cells) if cell.cell_type == "markdown" and _SECTION.search(cell.source)]
    start = max((place for place in heads if place <= here[0]), default=here[0])
    end = min((place for place in heads if place > here[0]), default=len(cells))
    section = list(range(start, end))
    others = {grade_id_of(cells[place]) for place in section} - own - {""}
    return here if others or start not in heads or here[-1] >= end else section


def notes(layout: Layout) -> Iterator[str]:
    """What a build tells about the exercises that were taken out; and the examples elsewhere that now lack something."""
    ids = dropped(layout)
    for id in ids:
        yield f"{id} is not in COURSE: its files and its section of the notebooks stay, and are neither released nor graded"
    for notebook in layout.notebooks() if ids else ():
        cells = nbformat.read(notebook.path, as_version=4).cells
        found = [f"{cell.id} ({', '.join(names)})" for cell, names in _at_a_loss(cells, without(cells, ids))]
        if found:
            yield f"{layout.name(notebook.path)}: change or delete these cells, which use what is left out: {', '.join(found)}"


def _at_a_loss(all_cells: Sequence[NotebookNode], kept: Sequence[NotebookNode]) -> Iterator[tuple[NotebookNode, list[str]]]:
    """The code cells among these that use names which only cells left out define."""
    staying = {cell.id for cell in kept}
    gone = {name for cell in all_cells if cell.id not in staying and cell.cell_type == "code" for name in _bound(cell.source)}
    known = set(dir(builtins))
    for cell in kept:
        if cell.cell_type != "code":
            continue
        known |= _bound(cell.source)
        names = sorted((_names(cell.source, ast.Load) - known) & gone)
        if names:
            yield cell, names


def _names(code: str, context: type[ast.expr_context]) -> set[str]:
    return {node.id for node in ast.walk(_parsed(code)) if isinstance(node, ast.Name) and isinstance(node.ctx, context)}


def _bound(code: str) -> set[str]:
    """Every name that a cell gives a meaning, anywhere in it."""
    bound = _names(code, ast.Store)
    for node in ast.walk(_parsed(code)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            bound |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
    return bound


def _parsed(code: str) -> ast.AST:
    """The tree of a cell's code; an empty one where it is no plain Python, as with a magic command."""
    try:
        return ast.parse(code)
    except SyntaxError:
        return ast.Module([], [])
