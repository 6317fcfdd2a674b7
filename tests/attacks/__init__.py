"""The hostile submissions of this folder: each file is one, with what must hold in its docstring.

    Expected: right            every test passes; the attack is wrapped round right code, and must keep its points
    Expected: failed           no points, and every test of values ends as `failed`
    Expected: failed or crashed
    Exercise: attention        where it is not `softmax`

A line `# --- file: NAME ---` begins another file of the same submission; what is before the first is the exercise's module.
Hostile files so lie here under no name that an interpreter or pytest would act on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
NEXT_FILE = re.compile(r"^# --- file: (.+) ---\n", re.MULTILINE)
STATUSES = {"right", "failed", "crashed", "timeout", "todo", "missing", "error"}


@dataclass(frozen=True)
class Attack:
    """One hostile submission: `files` by their path in it, and the statuses that its tests may end with."""

    kind: str
    name: str
    exercise: str
    expected: frozenset[str]
    files: Mapping[str, str]

    @property
    def id(self) -> str:
        return f"{self.kind}-{self.name}".replace("_", "-")


def attacks() -> list[Attack]:
    """All of them, by kind and name."""
    found = [path for path in sorted(FOLDER.glob("*/*.py")) if path.parent.name != "__pycache__"]
    return [_read(path) for path in found]


def _read(path: Path) -> Attack:
    module, *rest = NEXT_FILE.split(path.read_text("utf-8"))
    exercise = (_header("Exercise", module) or "softmax").strip()
    expected = frozenset(_header("Expected", module).split(" or "))
    if not expected <= STATUSES or not expected:
        raise ValueError(f"{path}: Expected: must name some of {', '.join(sorted(STATUSES))}, not {' or '.join(expected)}")
    files = {f"exercises/{exercise}.py": module, **dict(zip(rest[::2], rest[1::2], strict=True))}
    return Attack(path.parent.name, path.stem, exercise, expected, files)


def _header(key: str, module: str) -> str:
    found = re.search(rf"^{key}: (.+)$", module.partition('"""')[2].partition('"""')[0], re.MULTILINE)
    return found[1] if found else ""
