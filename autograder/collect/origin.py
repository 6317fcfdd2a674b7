"""Whom a submission is from, as the LMS wrote it, and when it was handed in, where that can be known. `collecting` asks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from autograder.roster import CANVAS, MOODLE, Who, who
from autograder.submissions import Candidate, Unreadable, lms
from autograder.submissions.folders import open_file
from autograder.text import visible

# Times in a class's zip that lie closer together than this are those of its making: Canvas writes every file at the moment of the
# download (lib/content_zipper.rb), and so does Moodle since 3.11 (files/classes/local/archive_writer/zip_writer.php).
SPREAD_SECONDS = 3600.0
_NO_TIME = 86400.0 * 366 * 10 + 86400.0  # zips without a time say 1 January 1980

STAMP_FORMAT = "%Y-%m-%d %H:%M:%S.%f UTC"  # of nbgrader's timestamp.txt, which nbgrader.utils.parse_utc reads


def sender(candidate: Candidate) -> Who:
    """Whom a candidate is from: the parts of an LMS's name where its files carry one, else the id alone."""
    if candidate.student.startswith("anon_"):
        return Who(candidate.student)  # Canvas hides who it is; the characters after it are no user's number
    for name in _names(candidate):
        for part in re.split(r"[/\\]", name):
            for system, read in ((MOODLE, lms.moodle), (CANVAS, lms.canvas)):
                owned = read(part)
                if owned is not None and owned.student == candidate.student:
                    return who(candidate.student, system)
    return Who(candidate.student)


def _names(candidate: Candidate) -> list[str]:
    return [part.entry for part in candidate.parts] or [candidate.path.name]


def where(candidate: Candidate) -> str:
    """Where a candidate was found, as a list shows it."""
    return visible("/".join((candidate.path.name, candidate.member)) if candidate.member else "/".join(candidate.path.parts[-2:]))


def submission_times(candidates: Iterable[Candidate]) -> dict[Candidate, float]:
    """When each candidate was handed in, in seconds since 1970, for those of whom it is known.

    The time stamp in nbgrader's tree says so, and a class's archive where its times differ from student to student. A file's own time does
    not: it is when somebody's computer wrote the file.
    """
    known: dict[Candidate, float] = {}
    classes: dict[Path, list[Candidate]] = {}
    for candidate in candidates:
        # In nbgrader's tree alone, <student>/<assignment>: elsewhere such a file may be a student's own.
        in_tree = not candidate.parts and candidate.path.parent.name == candidate.student
        stamp = read_stamp(candidate.path) if in_tree else None
        if stamp is not None:
            known[candidate] = stamp
        elif candidate.parts:
            classes.setdefault(candidate.path, []).append(candidate)
        elif sender(candidate).system:
            classes.setdefault(candidate.path.parent, []).append(candidate)
    for members in classes.values():
        if _differ([candidate.time for candidate in members]):
            known.update({candidate: candidate.time for candidate in members if candidate.time > _NO_TIME})
    return known


def _differ(times: Sequence[float]) -> bool:
    return max(times) - min(times) >= SPREAD_SECONDS


def read_stamp(folder: Path) -> float | None:
    """The time in a folder's timestamp.txt; None where there is none that can be read."""
    try:
        with open_file(folder / "timestamp.txt") as file:
            return lms.timestamp(file.read(200).decode("utf-8", "replace"))
    except (Unreadable, OSError):
        return None
