"""The lesson exists once per language: the same cells in the same order, and worked examples that compute the same.

The content check calls it, so that a change to one notebook is not forgotten in the other.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import nbformat

from autograder.content.layout import Fault, Layout
from autograder.content.notebooks import grade_id_of


def differences(layout: Layout) -> Iterator[Fault]:
    """Where a notebook departs from the first one: a cell that only one has, another order, other code."""
    first, *others = layout.notebooks()
    cells = {cell.id: cell for cell in nbformat.read(first.path, as_version=4).cells}
    for other in others:
        file = layout.name(other.path)
        twins = {cell.id: cell for cell in nbformat.read(other.path, as_version=4).cells}
        for id in [id for id in cells if id not in twins]:
            yield Fault(file, f"it lacks the cell {id} of {layout.name(first.path)}", "write it, or take it out there")
        for id in [id for id in twins if id not in cells]:
            yield Fault(file, f"{layout.name(first.path)} lacks its cell {id}", "write it there, or take it out here")
        if list(cells) != list(twins) and set(cells) == set(twins):
            id = next(b for a, b in zip(cells, twins, strict=True) if a != b)
            yield Fault(file, f"the cell {id} stands elsewhere than in {layout.name(first.path)}", "bring both into one order")
        for id in [id for id in cells if id in twins]:
            if cells[id].cell_type != twins[id].cell_type:
                yield Fault(file, f"the cell {id} is {twins[id].cell_type}, not {cells[id].cell_type}", "make them alike")
            elif cells[id].cell_type == "code" and not grade_id_of(cells[id]) and _bones(cells[id].source) != _bones(twins[id].source):
                yield Fault(file, f"the code of the cell {id} is another than in {layout.name(first.path)}", "change both alike")


class _Wordless(ast.NodeTransformer):
    """Takes out what a language changes: texts, and how wide they are printed."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return ast.Constant("") if isinstance(node.value, str) else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        values = [self.visit(part.value) for part in node.values if isinstance(part, ast.FormattedValue)]
        return ast.Tuple(values, ast.Load())


def _bones(code: str) -> str:
    """What a cell computes, without its words; comments and layout are not in the tree anyway."""
    return ast.dump(_Wordless().visit(ast.parse(code)))
