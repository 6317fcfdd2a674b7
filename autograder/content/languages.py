"""Finds what is said in English alone: no text that a student or an instructor reads may lack its Chinese half.

The content check calls it. It looks at the code, so that a text is found that no run has shown yet.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from autograder.content.layout import Fault, Layout

# Where the two halves stand among the arguments of a call.
HALVES = {"Text": 0, "say": 0, "graded": 1}

_LETTER = re.compile(r"[A-Za-z]")
_HAN = re.compile(r"[\u4e00-\u9fff]")


def untranslated(layout: Layout) -> Iterator[Fault]:
    """Every `Text(en, zh)`, `say(en, zh)` and `@graded(points, en, zh)` without a Chinese half, every visible test without a title."""
    for folder in (layout.root / "autograder", layout.visible_tests):
        for path in sorted(folder.rglob("*.py")):
            for number, problem in missing_halves(path):
                yield Fault(f"{layout.name(path)}:{number}", problem, 'write both: Text("…", "…")')
    for path in sorted(layout.visible_tests.glob("test_*.py")):
        for number, test in untitled_tests(path):
            yield Fault(f"{layout.name(path)}:{number}", f"{test} has no Chinese title", 'write @chinese("…") above it')


def missing_halves(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of one module where a half is missing, each with what is wrong."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in HALVES:
            continue
        first = HALVES[node.func.id]
        halves = node.args[first : first + 2]
        if len(halves) < 2:
            yield node.lineno, f"{node.func.id} has one language"
            continue
        en, zh = (_written(half) for half in halves)
        if _LETTER.search(en) and not _HAN.search(zh):
            yield node.lineno, f"the Chinese of {en[:40]!r} is {zh[:40]!r}"
        elif _HAN.search(en):
            yield node.lineno, f"the English half is Chinese, {en[:40]!r}"


def untitled_tests(path: Path) -> Iterator[tuple[int, str]]:
    """The visible tests of one file that lack `@chinese("…")`: a test's English title is its name."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            titles = (_written(mark) for mark in node.decorator_list if ast.unparse(mark).startswith("chinese("))
            if not any(map(_HAN.search, titles)):
                yield node.lineno, node.name


def _written(half: ast.expr) -> str:
    """The words that stand in the code of an expression; what it takes from elsewhere was written there, as a pair too."""
    constants = (node.value for node in ast.walk(half) if isinstance(node, ast.Constant))
    return "".join(value for value in constants if isinstance(value, str))
