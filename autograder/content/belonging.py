"""Which files of the course belong to it. The content check names those that do not; a release leaves them out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from autograder.content.layout import Layout
from autograder.content.stubs import COPIED_TO_TESTS
from autograder.course import COURSE
from autograder.submissions.provided import NAMES as PROVIDED

# Files that belong to no single exercise, by folder.
INFRASTRUCTURE = {
    "solutions": {"__init__.py"},
    "exercises": {"__init__.py", *PROVIDED},
    "exercises/tests": {"__init__.py", "board.py", "conftest.py", "course.py", "notebook.py", "student.py", *COPIED_TO_TESTS},
    "autograder/hidden": {"__init__.py", "conftest.py"},
}


def strays(layout: Layout) -> list[Path]:
    """Python files beside those of the course's exercises that are none of them, nor imported by one of them."""
    modules = {f"{e.module}.py" for e in COURSE}
    tests = {f"test_{e.id}.py" for e in COURSE}
    belongs = {"solutions": modules, "exercises": modules, "exercises/tests": tests, "autograder/hidden": tests}
    found = []
    for folder, expected in belongs.items():
        files = {path.name: path for path in sorted((layout.root / folder).glob("*.py"))}
        known = expected | INFRASTRUCTURE[folder]
        helpers = {f"{name}.py" for file in known & set(files) for name in _siblings(files[file], folder)}
        found += [path for name, path in files.items() if name not in known | helpers]
    return found


def _siblings(path: Path, folder: str) -> Iterator[str]:
    """The modules beside it that a file imports, `from .drawing import …`: what they help belongs to the course."""
    package = folder.replace("/", ".")
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            module = f"{package}.{node.module}" if node.level == 1 else node.module or ""
            parent, _, name = module.rpartition(".")
            if parent == package:
                yield name
