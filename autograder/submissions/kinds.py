"""What a file's name says that it is: an exercise's module, a notebook, an archive, litter. Discovery and layout both ask.

Names only; nothing is opened here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from autograder.course import COURSE

EXERCISES = "exercises"
LONGEST_NAME = 255  # bytes of one name in a path, on the file systems there are
MODULES = {exercise.module.casefold(): exercise.module for exercise in COURSE}

LITTER_FOLDERS = frozenset(
    (
        *(".git", ".hg", ".svn", "__MACOSX", "__pycache__", ".ipynb_checkpoints"),
        *(".venv", "venv", "site-packages", "node_modules", ".tox"),
        *(".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".idea", ".vscode"),
    )
)
_LITTER_FILE = re.compile(r"\._.*|\.DS_Store|Thumbs\.db|desktop\.ini|.*\.py[co]", re.IGNORECASE | re.DOTALL)

_NOTEBOOK = re.compile(r".+\.ipynb(?:\.(?:json|txt))?", re.IGNORECASE | re.DOTALL)
_MODULE = re.compile(r"(?P<stem>.+)\.py(?P<saved_as_text>\.txt)?", re.IGNORECASE | re.DOTALL)
_ARCHIVE = re.compile(r".+(?:\.zip|\.tar|\.tgz|\.tar[-_ ]?\(?\d*\)?\.gz)", re.IGNORECASE | re.DOTALL)
_OTHER_ARCHIVE = re.compile(r".+\.(?:rar|7z|gz|bz2|xz|zst|tbz2?|txz|zipx)", re.IGNORECASE | re.DOTALL)

# What browsers, file managers and LMSs add to the name of a second copy. An underscore is a student's: such a file can be imported.
_COPY = re.compile(
    r"(?P<base>.+?)(?:"
    r"[ _]*\((?P<round>\d+)\)"
    r"|-(?P<hyphen>\d+)"
    r"| +(?P<space>\d+)"
    r"|[ -]+(?:copy|kopie|copie|copia)(?:[ -]?\(?(?P<copy>\d*)\)?)?"
    r"|[ -]*的?副本(?: ?\(?(?P<zh>\d+)\)?)?"
    r")",
    re.IGNORECASE | re.DOTALL,
)
_COPY_OF = re.compile(r"copy of +(?P<base>.+)", re.IGNORECASE | re.DOTALL)

# Names that a folder or file inside one submission has, and that no student has.
_WORK_NAME = re.compile(
    r"attention(?:[-_]?zh)?|exercises?|release|source|src|code|work|solutions?|submission|assignments?[-_ ]?\d*|homework[-_ ]?\d*"
    r"|hw[-_ ]?\d*|lab[-_ ]?\d*|project[-_ ]?\d*|notebooks?|untitled\d*|.+-(?:main|master)"
    r"|(?:week|day|part|version|v)[-_ ]?\d+|backups?|old|new|draft|final|scratch|te?mp|tests?|" + "|".join(MODULES),
    re.DOTALL,
)


@dataclass(frozen=True)
class ModuleName:
    """A file's name read as that of an exercise's module. `rank`: 0 the name itself, 1 in other letters, 2 a renamed copy."""

    module: str
    rank: int
    copy: int = 0  # the number of the copy


def module_of(name: str) -> ModuleName | None:
    """The exercise's module that a file of this name is, or is a renamed copy of."""
    found = _MODULE.fullmatch(name)
    if found is None or len(name) > LONGEST_NAME:
        return None
    stem = found["stem"]
    module = MODULES.get(stem.casefold())
    if module is not None and not found["saved_as_text"]:
        return ModuleName(module, rank=0 if name == f"{module}.py" else 1)
    base, copy = original(stem)
    module = MODULES.get(base.casefold())
    return ModuleName(module, rank=2, copy=copy) if module is not None else None


def original(stem: str) -> tuple[str, int]:
    """The name that a copy was made from, and the copy's number; 0 where the name is no copy's."""
    number = 0
    for _ in range(3):
        copied = _COPY.fullmatch(stem) or _COPY_OF.fullmatch(stem)
        if copied is None:
            break
        digits = [text for key, text in copied.groupdict().items() if key != "base" and text]
        number = max(number, int(digits[0][:9]) if digits else 1)
        stem = copied["base"].strip()
    return stem, number


def is_notebook(name: str) -> bool:
    """Whether a file of this name is a notebook."""
    return _NOTEBOOK.fullmatch(name) is not None and not name.startswith(".")


def is_archive(name: str) -> bool:
    """Whether a file of this name is an archive that the kit opens."""
    return _ARCHIVE.fullmatch(name) is not None and not name.startswith(".")


def is_any_archive(name: str) -> bool:
    """The same, with the formats that the kit does not open: a student's, and worth an `error` row."""
    return is_archive(name) or (_OTHER_ARCHIVE.fullmatch(name) is not None and not name.startswith("."))


def is_python(name: str) -> bool:
    """Whether a file of this name is a Python source."""
    return _MODULE.fullmatch(name) is not None and not name.startswith(".")


def is_exercises_folder(name: str) -> bool:
    """Whether a folder of this name is `exercises`, whatever the case."""
    return name.casefold() == EXERCISES


def is_litter(parts: tuple[str, ...]) -> bool:
    """Whether a path lies in, or is, what no student means to hand in: caches, environments, a file manager's own."""
    return any(part in LITTER_FOLDERS for part in parts) or (bool(parts) and _LITTER_FILE.fullmatch(parts[-1]) is not None)


def is_work_name(stem: str, top: str = "") -> bool:
    """Whether a name says what the work is rather than whose: attention, exercises, homework 3, the name of the folder around it."""
    whole = stem[:LONGEST_NAME].casefold()
    names = (whole, original(whole)[0])
    return any(_WORK_NAME.fullmatch(name) for name in names) or (bool(top) and top.casefold() in names)


def holds_work(paths: Iterable[str]) -> bool:
    """Whether any of these files is a module, a notebook or an archive."""
    names = [path.rpartition("/")[2] for path in paths]
    return any(module_of(name) or is_notebook(name) or is_any_archive(name) for name in names)
