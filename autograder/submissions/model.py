"""A submission as data: what a student handed in, read and bounded, with nothing of it run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


class Unreadable(Exception):
    """A submission that cannot be graded; the text tells the instructor what is wrong and what to do."""


@dataclass(frozen=True)
class Part:
    """One file of a student's among those of a whole class: its name there, and its place in the submission."""

    entry: str
    path: str


@dataclass(frozen=True)
class Candidate:
    """One student's submission, found but not yet opened.

    `parts` is empty where `path` is all of the submission. Where one zip or folder holds the files of a whole class,
    `path` is that zip or folder, and `parts` are this student's files in it; `member` names the first of them.
    """

    student: str  # the id as the LMS writes it
    path: Path
    time: float  # of the LMS where it gives one, else of the file; seconds since 1970
    member: str | None = None
    notes: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Discovery:
    """What was found under the paths of the command line: one candidate per student id, and what was left aside."""

    candidates: tuple[Candidate, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cell:
    """One code cell of a notebook. `grade_id` is nbgrader's, empty where the cell has none."""

    source: str
    grade_id: str = ""
    locked: bool = False


@dataclass(frozen=True)
class Submission:
    """What was handed in, opened.

    files: path within the submission -> content, POSIX paths; an exercise's module lies at exercises/<module>.py.
        A name that is not UTF-8 holds surrogates, as os.fsdecode makes them; every path can be written by os.fsencode.
    cells: the notebook's code cells in order, where a notebook was handed in (then no module is in `files`).
    """

    student: str
    files: dict[str, bytes]
    cells: tuple[Cell, ...] = ()
    notes: tuple[str, ...] = ()
    digest: str = ""  # of all the content that grading depends on
    notebook: bytes = b""  # the file that the cells are from, as it came; only where it was asked for
