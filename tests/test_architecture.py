"""docs/architecture.md says who may import whom; the imports must agree."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

DOCUMENT = ROOT / "docs" / "architecture.md"
OWN = {"autograder", "solutions", "exercises", "tests"}


def layers() -> dict[str, int]:
    """Each room with the number of its line, the top one first."""
    block = re.search(r"```layers\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    assert block is not None
    return {room: number for number, line in enumerate(block[1].splitlines()) for room in line.split()}


def modules() -> list[Path]:
    return sorted(path for folder in ("autograder", "solutions") for path in (ROOT / folder).rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    """The full names of the modules that a file imports, relative ones made absolute."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def room_of(name: str) -> str:
    """autograder.grading.student -> grading; solutions.softmax -> solutions; the package itself and foreign ones: empty."""
    first, _, rest = name.partition(".")
    if first == "autograder":
        room = rest.partition(".")[0]
        return "" if room == "__version__" else room
    return first if first in OWN else ""


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def test_every_room_has_its_place() -> None:
    rooms = {room_of(name_of(path)) for path in modules()} - {"__init__", ""} | {"exercises"}
    assert rooms == set(layers())


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_imports_go_downwards(path: Path) -> None:
    order, room = layers(), room_of(name_of(path))
    if room == "__init__":
        return
    wrong = [name for name in imported(path) if room_of(name) not in ("", "__init__", room) and order[room_of(name)] <= order[room]]
    assert wrong == []


@pytest.mark.parametrize("path", sorted((ROOT / "autograder" / "inside").glob("*.py")), ids=name_of)
def test_what_the_jail_holds_imports_nothing_else_of_the_kit(path: Path) -> None:
    assert {room_of(name) for name in imported(path)} <= {"", "inside"}


@pytest.mark.parametrize("path", sorted((ROOT / "exercises").rglob("*.py")), ids=name_of)
def test_what_students_get_imports_nothing_of_the_graders(path: Path) -> None:
    assert {name.partition(".")[0] for name in imported(path)} & {"autograder", "solutions", "tests"} == set()
