"""Tells one student's submission from a whole class's, by names alone. Discovery calls `shape_of`; nothing is opened here.

The rules, first match first. "Work" is an exercise's module, a notebook, an archive, or a folder that holds one; on disk also
a Python file that defines an entry point, as `ada.py` may in a class that hands in one module. A "work name" says what a
thing is, not whose: attention, exercises, softmax, homework 2, week 3, main branches as GitHub packs them, the name of the
folder around it; also where a browser made it `attention (1)`.

1. Moodle: an entry is named `..._assignsubmission_...`.
2. Canvas: all files that are work are named `name_1234_5678_...`, and they are most of the files.
3. A course folder of nbgrader: it has `submitted` beside `source`, `release` or a gradebook.
4. nbgrader's submitted tree: its name is `submitted`, or an entry holds `<assignment>/timestamp.txt`.
5. One submission: it holds `exercises` or a module; or nbgrader's time stamp beside work, or a notebook with a work name,
   unless two or more folders or archives lie there that have none: a class with the assignment itself beside it.
6. One submission: everything in it that is work has a work name; so wrapper folders and `backup` next to `src` are fine.
7. A folder on disk with two or more entries that are work: a class, one student an entry.
8. A folder on disk with one: a class of one, if that entry is itself a submission at first sight; else a wrapper.
   A folder whose entries are empty folders without work names: a class that handed in nothing.
9. An archive: one submission, unless it was the only path given and at least two of its folders hold the same module, or
   each a notebook.

An archive or folder that is an entry of a class is always one submission, so that no student's names can pose as a class.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.submissions import lms
from autograder.submissions.kinds import holds_work, is_any_archive, is_exercises_folder, is_notebook, is_work_name, module_of
from autograder.submissions.names import id_of

ONE, CLASS, CANVAS, MOODLE, COURSE_FOLDER, SUBMITTED = "one", "class", "canvas", "moodle", "course", "submitted"

_STAMPED = re.compile(r"[^/]+/timestamp\.txt")


@dataclass(frozen=True)
class Entry:
    """One entry of a folder or archive: its name, kind ("folder", "file", "link", "other"), time, and the files below it."""

    name: str
    kind: str
    time: float
    inside: tuple[str, ...] = ()  # paths relative to the entry
    defines: bool = False  # a Python file that defines something of the course, whatever its name

    @property
    def is_folder(self) -> bool:
        return self.kind == "folder"

    @property
    def is_work(self) -> bool:
        if self.is_folder:
            return holds_work(self.inside)
        return self.defines or is_notebook(self.name) or is_any_archive(self.name) or module_of(self.name) is not None

    def has_work_name(self, top: str) -> bool:
        """Whether the name says what this is rather than whose."""
        return is_work_name(self.name if self.is_folder else id_of(self.name), top)

    def has(self, path: str) -> bool:
        """Whether a file of this path lies below it."""
        return path in self.inside


def shape_of(top: str, entries: Sequence[Entry], *, on_disk: bool, alone: bool) -> str:
    """What a folder (`on_disk`) or archive named `top` with these entries is. `alone`: no other path was given."""
    names = {entry.name for entry in entries}
    if any(lms.moodle(entry.name) for entry in entries):
        return MOODLE
    if _is_one_at_first_sight(entries):
        return ONE
    if _is_canvas(entries):
        return CANVAS
    if on_disk and any(e.is_folder and e.name == "submitted" for e in entries) and names & {"source", "release", "gradebook.db"}:
        return COURSE_FOLDER
    if on_disk and _is_submitted_tree(top, entries):
        return SUBMITTED
    work = [entry for entry in entries if entry.is_work]
    named = [entry for entry in work if not entry.has_work_name(top)]
    is_assignment = any((not e.is_folder and is_notebook(e.name) and e.has_work_name(top)) or e.has("timestamp.txt") for e in work)
    if is_assignment and sum(entry.is_folder or is_any_archive(entry.name) for entry in named) < 2:
        return ONE
    if on_disk:
        return _on_disk(top, entries, named)
    return CLASS if alone and _is_packed_class(work, named) else ONE


def _is_one_at_first_sight(entries: Sequence[Entry]) -> bool:
    return any(is_exercises_folder(e.name) if e.is_folder else module_of(e.name) is not None for e in entries)


def _is_canvas(entries: Sequence[Entry]) -> bool:
    files = [entry for entry in entries if not entry.is_folder]
    hits = [entry for entry in files if lms.canvas(entry.name)]
    return bool(hits) and 2 * len(hits) >= len(files) and not any(e.is_work and not lms.canvas(e.name) for e in entries)


def _is_submitted_tree(top: str, entries: Sequence[Entry]) -> bool:
    folders = [entry for entry in entries if entry.is_folder]
    stamped = any(_STAMPED.fullmatch(path) for folder in folders for path in folder.inside)
    return bool(folders) and (top == "submitted" or stamped)


def _on_disk(top: str, entries: Sequence[Entry], named: Sequence[Entry]) -> str:
    """Rules 6 to 8."""
    folders = [entry for entry in entries if entry.is_folder]
    others = [entry for entry in entries if entry.kind in ("link", "other")]
    if not any(entry.is_work for entry in entries):
        strange = not any(entry.kind == "file" for entry in entries) and all(not e.has_work_name(top) for e in (*folders, *others))
        return CLASS if (folders or others) and strange else ONE
    if not named:
        return ONE
    if len(named) + len(others) > 1:
        return CLASS
    only = named[0]
    if not only.is_folder:  # data beside one notebook: a student's folder; a student who handed in nothing: a class
        return ONE if any(folder.inside for folder in folders) else CLASS
    return CLASS if len([f for f in folders if not f.has_work_name(top)]) > 1 or _is_direct(only) else ONE


def _is_direct(folder: Entry) -> bool:
    """Whether a folder is a submission itself, at most below folders with work names."""
    for path in folder.inside:
        above, name = posixpath.split(path)
        wrappers = above.split("/") if above else []
        if holds_work([name]) and all(is_work_name(part, folder.name) for part in wrappers):
            return True
    return False


def _is_packed_class(work: Sequence[Entry], named: Sequence[Entry]) -> bool:
    """Rule 9: two folders with the same kind of work in them are two students'."""
    if len(named) < 2 or len(named) < len(work) or not all(entry.is_folder for entry in work):
        return False
    held: list[str] = []
    for entry in work:
        names = [posixpath.basename(path) for path in entry.inside]
        held += {found.module for name in names if (found := module_of(name))} | {"notebook" for name in names if is_notebook(name)}
    return len(held) > len(set(held))
