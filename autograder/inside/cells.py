"""Runs a notebook's cells for one exercise: which cells, in what order, and whose definition counts.

Exercise E is every code cell up to and including E's solution cell. Where that cell still holds the stub, a
definition in another cell counts; where the metadata is lost, cells are found by the names that they define.
The cells are parsed here, in the jail, because a parser is no place for a stranger's text outside of it.
"""

from __future__ import annotations

import ast
import sys
import types
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from .stand_ins import StandIns

WRITTEN, STUB, UNPARSABLE, ABSENT = "written", "stub", "unparsable", ""
PARSER_ERRORS = (SyntaxError, ValueError, RecursionError, MemoryError)


@dataclass(frozen=True)
class Cell:
    """A code cell with its number in the notebook and nbgrader's id for it, which may be empty."""

    number: int
    source: str
    grade_id: str


@dataclass(frozen=True)
class Plan:
    """The cells to run, and for each entry point the number of the cell whose definition counts."""

    cells: tuple[Cell, ...]
    picks: dict[str, int]


def plan(exercise_id: str, entry_points: Sequence[str], cells: Sequence[Cell]) -> Plan | None:
    """The plan for one exercise; None where no cell is its solution cell and none defines one of its entry points."""
    home = next((cell for cell in cells if cell.grade_id == exercise_id), None)
    picks: dict[str, int] = {}
    for name in entry_points:
        states = {cell.number: defines(cell.source, name) for cell in cells if cell is home or name in cell.source}
        written = [number for number, state in states.items() if state == WRITTEN]
        stubs = [number for number, state in states.items() if state == STUB]
        if home is not None and states[home.number] in (WRITTEN, UNPARSABLE):
            picks[name] = home.number
        elif written:
            picks[name] = written[-1]
        elif home is not None:
            picks[name] = home.number
        elif stubs:
            picks[name] = stubs[-1]
    if not picks:
        return None
    last = max(picks.values())
    return Plan(tuple(cell for cell in cells if cell.number <= last), picks)


@cache
def defines(source: str, name: str) -> str:
    """How a cell defines `name` at its top level; a stub is what only raises NotImplementedError."""
    try:
        tree = ast.parse(source)
    except PARSER_ERRORS:
        return UNPARSABLE
    state = ABSENT
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node.name == name:
            state = STUB if _is_stub(node) else WRITTEN
        elif name in _names_bound(node):
            state = WRITTEN
    return state


def _names_bound(node: ast.stmt) -> list[str]:
    """The names that an assignment or an import binds; an import from `exercises` fetches what is defined elsewhere."""
    if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "exercises":
        return []
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [alias.asname or alias.name for alias in node.names]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [leaf.id for target in targets for leaf in ast.walk(target) if isinstance(leaf, ast.Name)]


def _is_stub(node: ast.AST) -> bool:
    """A function whose body only raises NotImplementedError, or a class with such a method."""
    if isinstance(node, ast.ClassDef):
        return any(_is_stub(item) for item in node.body if isinstance(item, ast.FunctionDef))
    body = [statement for statement in getattr(node, "body", []) if not _is_docstring(statement)]
    return len(body) == 1 and isinstance(body[0], ast.Raise) and "NotImplementedError" in ast.dump(body[0])


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) and isinstance(statement.value.value, str)


def definitions_only(source: str) -> ast.Module:
    """The imports, functions and classes of a cell, and its assignments of constants; nothing where it does not parse."""
    try:
        tree = ast.parse(source)
    except PARSER_ERRORS:
        return ast.Module(body=[], type_ignores=[])
    kept = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
    tree.body = [
        node for node in tree.body if isinstance(node, kept) or (isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant))
    ]
    return tree


class NoShell:
    """Stands for IPython's shell: magics were taken out of the cells, whatever is left does nothing."""

    def __getattr__(self, name: str) -> Any:
        return lambda *args, **kwargs: None


def run(what: Plan, stand_ins: StandIns, *, lean: bool) -> types.ModuleType:
    """Run the cells in one namespace, earlier exercises replaced after the cell that defines them.

    A cell that fails does not matter, unless what counts of it was not defined by then. lean: of the other cells, only definitions.
    """
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    space = module.__dict__
    space.update(get_ipython=NoShell, display=print)
    stand_ins.install()
    stand_ins.put_into(space)
    picked: dict[str, Any] = {}
    for cell in what.cells:
        names = [name for name, number in what.picks.items() if number == cell.number]
        for name in names:
            space.pop(name, None)
        try:
            code: Any = definitions_only(cell.source) if lean and not names else cell.source
            exec(compile(code, f"<cell {cell.number}>", "exec", dont_inherit=True), space)
        except BaseException:
            if any(name not in space for name in names):
                raise
        picked.update({name: space[name] for name in names if name in space})
        if not names:
            stand_ins.put_into(space)
    space.update(picked)
    return module
