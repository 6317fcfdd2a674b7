"""nbgrader's submitted tree: the folder of one student and assignment, put in place whole or not at all. `collecting` calls it."""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from autograder.collect.origin import STAMP_FORMAT, read_stamp
from autograder.submissions import folder_name
from autograder.submissions.kinds import LONGEST_NAME
from autograder.submissions.layout import TIMESTAMP

# As measured with nbgrader 0.9.6: it takes a folder's name for a file pattern (* ? [), and its export writes ids without quotes, so
# that a comma, a quote or a formula breaks the table. What Windows forbids is left out too: a course folder is shared.
_TAKEN_AS_IT_IS = re.compile(r"\w(?:[\w .@+'~-]*[\w@+'~-])?")
OWN_FILES = frozenset(("collected.csv", "unmatched.csv"))

SAME_SECONDS = 2.0  # a zip knows even seconds only
_NEW, _OLD = ".collecting-", ".collected-before-"  # nbgrader and discovery pass over hidden folders


def student_folder(student: str) -> str:
    """The folder of a student: the id where nbgrader and the file system take it, else the slug that reports have."""
    fits = len(os.fsencode(student)) <= LONGEST_NAME if student.isprintable() else False
    if fits and _TAKEN_AS_IT_IS.fullmatch(student) and student.casefold() not in OWN_FILES:
        return student
    return folder_name(student)


def time_of(folder: Path) -> float | None:
    """When what lies in a submission's folder was handed in: its time stamp, else its newest file; None where there is nothing."""
    stamp = read_stamp(folder)
    if stamp is not None:
        return stamp
    times = [os.lstat(os.path.join(above, name)).st_mtime for above, _, names in os.walk(folder) for name in names]
    return max(times, default=None)


def holds(folder: Path, files: Mapping[str, bytes]) -> bool:
    """Whether a folder holds these files and no others, time stamps aside."""
    there = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if not path.is_dir()}
    there.pop(TIMESTAMP, None)
    wanted = {path: content for path, content in files.items() if path != TIMESTAMP}
    if there.keys() != wanted.keys():
        return False
    return all(there[path].is_file() and there[path].read_bytes() == content for path, content in wanted.items())


def stamp(when: float) -> bytes:
    """timestamp.txt as nbgrader writes it, in UTC."""
    return (datetime.fromtimestamp(when, UTC).strftime(STAMP_FORMAT) + "\n").encode("ascii")


def put(out: Path, student: str, assignment: str, files: Mapping[str, bytes], when: float) -> None:
    """Put a submission in place of what is there. Every file gets the time `when`, so that a later run can tell what is newer.

    Raises OSError, and then leaves what was there.
    """
    target = out / student / assignment
    made, old = out / f"{_NEW}{secrets.token_hex(6)}", target.with_name(f"{_OLD}{assignment}")
    try:
        for path, content in files.items():
            place = made / os.fsdecode(os.fsencode(path))
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
            os.utime(place, (when, when))
        target.parent.mkdir(parents=True, exist_ok=True)
        if os.path.lexists(target):
            os.rename(target, old)
        try:
            os.rename(made, target)
        except OSError:
            if os.path.lexists(old):
                os.rename(old, target)
            raise
    finally:
        _remove(made)
        _remove(old)


def tidy(out: Path) -> None:
    """Put right what an earlier run left that was killed: half a new submission goes, an old one whose place is empty comes back."""
    for rest in out.glob(f"{_NEW}*"):
        _remove(rest)
    for old in out.glob(f"*/{_OLD}*"):
        target = old.with_name(old.name.removeprefix(_OLD))
        if os.path.lexists(target):
            _remove(old)
        else:
            os.rename(old, target)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
