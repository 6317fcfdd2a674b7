"""Which files of the course belong to it. The content check names those that do not; a release leaves them out, and what belongs to
exercises that were taken out of the course.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

from autograder.content.dropped import dropped
from autograder.content.layout import MODEL_ANSWERS, Layout
from autograder.content.stubs import COPIED_TO_TESTS
from autograder.course import COURSE
from autograder.submissions.provided import NAMES as PROVIDED

LEFT_OUT = {"__pycache__", ".pytest_cache", ".ruff_cache", ".mypy_cache", ".ipynb_checkpoints", ".DS_Store"}

# Files that belong to no single exercise, by folder.
INFRASTRUCTURE = {
    "solutions": {"__init__.py"},
    "exercises": {"__init__.py", *PROVIDED},
    "exercises/tests": {
        "__init__.py",
        "board.py",
        "conftest.py",
        "course.py",
        "hints.json",
        "hints.py",
        "notebook.py",
        "student.py",
        "titles.py",
        "watch.py",
        *COPIED_TO_TESTS,
    },
    "autograder/hidden": {"__init__.py", "conftest.py"},
}


def strays(layout: Layout) -> list[Path]:
    """Files below the course's folders that are none of an exercise's, nor imported by one of them."""
    return _others(layout, [*(exercise.id for exercise in COURSE), *dropped(layout)])


def not_for_students(layout: Layout) -> list[Path]:
    """Files that no release has: strays, and those of exercises that were taken out."""
    return _others(layout, [exercise.id for exercise in COURSE])


def _others(layout: Layout, ids: Collection[str]) -> list[Path]:
    """Every file of the course's folders that is neither one of these exercises' nor of no single one."""
    modules = {f"{id}.py" for id in ids}
    tests = {f"test_{id}.py" for id in ids}
    belongs = {
        "solutions": modules | set(MODEL_ANSWERS.values()),
        "exercises": modules,
        "exercises/tests": tests,
        "autograder/hidden": tests,
    }
    data = {
        "exercises/data": {*ids} | {Path(name).stem for name in PROVIDED},
        "autograder/hidden/data": {*ids},
    }
    known: set[Path] = set()
    for folder, expected in belongs.items():
        files = {path.name: path for path in (layout.root / folder).glob("*.py")}
        names = expected | INFRASTRUCTURE[folder]
        helpers = {f"{name}.py" for file in names & set(files) for name in _siblings(files[file], folder)}
        known |= {layout.root / folder / name for name in names | helpers}
    found = []
    for path in files_below(layout, "solutions", "exercises", "autograder/hidden"):
        owners = data.get(path.parent.relative_to(layout.root).as_posix(), set())
        if path not in known and path.stem not in owners:
            found.append(path)
    return found


def files_below(layout: Layout, *folders: str) -> Iterator[Path]:
    """Every file of these folders, caches and dotfiles left out, in the order of their names."""
    for folder in folders:
        for path in sorted((layout.root / folder).rglob("*")):
            parts = path.relative_to(layout.root).parts
            if path.is_file() and path.suffix != ".pyc" and not any(part in LEFT_OUT or part.startswith(".") for part in parts):
                yield path


def _siblings(path: Path, folder: str) -> Iterator[str]:
    """The modules beside it that a file imports, `from .drawing import …`: what they help belongs to the course."""
    package = folder.replace("/", ".")
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            module = f"{package}.{node.module}" if node.level == 1 else node.module or ""
            parent, _, name = module.rpartition(".")
            if parent == package:
                yield name
