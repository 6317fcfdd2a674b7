"""Which submissions an output folder has graded already: for the same content, course, seed, jail and options. The batch asks it.

A report counts only where the ledger knows it: a report.json that came from elsewhere, or was edited, is graded again.
"""

from __future__ import annotations

import hashlib
import json
import platform
from dataclasses import astuple, dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

import autograder
import solutions
from autograder.course import COURSE
from autograder.limits import Limits
from autograder.reports.atomic import remove_leftovers, write_unsynced
from autograder.reports.rows import Row
from autograder.submissions import Submission
from autograder.submissions.provided import PROVIDED

FOLDER = "ledger"
REPORT, PAGE, OUTPUT = "report.json", "feedback.html", "output.txt"
KINDS_OF_FILES = (".py", ".npz", ".json", ".html", ".css")  # of the kit's files those that a report depends on


@dataclass(frozen=True)
class Kit:
    """What a machine grades with. Two machines with equal kits give a submission the same report."""

    version: str
    course: str  # a hash, `course_version`
    python: str
    numpy: str


@cache
def this_kit() -> Kit:
    """What this process would grade with."""
    return Kit(autograder.__version__, course_version(), platform.python_version(), np.__version__)


@dataclass(frozen=True)
class Way:
    """How one run grades. exercises: empty for all. jail: the one in use, not "auto"."""

    kit: Kit
    seed: int
    jail: str
    lang: str
    exercises: tuple[str, ...]
    limits: Limits

    def text(self) -> str:
        """The same for two ways that give the same reports: the order of exercises and the number of jobs change nothing."""
        chosen = [exercise.id for exercise in COURSE if exercise.id in self.exercises or not self.exercises]
        return repr((astuple(self.kit), self.seed, self.jail, self.lang, chosen, astuple(replace(self.limits, jobs=1))))


class Ledger:
    """The ledger in `state`, the folder of the kit's own in the output folder `out`, for one run. One run at a time uses it."""

    def __init__(self, out: Path, state: Path, way: Way):
        self.out, self.folder, self.way = out, state / FOLDER, way.text()
        self.folder.mkdir(parents=True, exist_ok=True)
        remove_leftovers(self.folder)

    def key(self, submission: Submission) -> str:
        """What a report must have been made for to count: this content, student and notes, by this run's means."""
        facts = repr((self.way, submission.student, submission.digest, submission.notes))
        return hashlib.sha256(facts.encode("utf-8", "surrogatepass")).hexdigest()

    def find(self, folder: str, key: str) -> Row | None:
        """The row of a report that an earlier run wrote for this very key; None where there is none, or it was changed since."""
        try:
            entry = json.loads(self._entry(folder).read_text("utf-8"))
            if entry != self._facts(folder, key):
                return None
            return Row.from_json(json.loads((self.out / folder / REPORT).read_bytes()), folder)
        except (OSError, ValueError):
            return None

    def strike(self, folder: str) -> None:
        """No report in `folder` counts, until one is entered: before it is written, and for good where it must be graded again."""
        self._entry(folder).unlink(missing_ok=True)

    def enter(self, folder: str, key: str) -> None:
        """Note the report that now stands in `folder`."""
        # Unsynced: where a power cut tears the entry, or loses it, that one submission is graded again.
        write_unsynced(self._entry(folder), json.dumps(self._facts(folder, key)))

    def _facts(self, folder: str, key: str) -> dict[str, object]:
        """What an entry holds: the report's content, and that a page was there and printed text. What they say may be edited."""
        place = self.out / folder
        report = hashlib.sha256((place / REPORT).read_bytes()).hexdigest()
        return {"key": key, "report": report, "files": [name for name in (PAGE, OUTPUT) if (place / name).is_file()]}

    def _entry(self, folder: str) -> Path:
        return self.folder / f"{folder}.json"


@cache
def course_version() -> str:
    """A hash of everything that a report depends on: the grader, its hidden tests, its pages and the reference solutions."""
    digest = hashlib.sha256()
    files = dict(PROVIDED)
    for package in (autograder, solutions):
        root = Path(str(package.__file__)).parent
        for path in root.rglob("*"):
            name = path.relative_to(root).as_posix()
            if path.suffix in KINDS_OF_FILES and not any(part.startswith(".") for part in name.split("/")):  # an editor's, a cache's
                files[f"{root.name}/{name}"] = path.read_bytes()
    for name in sorted(files):
        digest.update(repr((name, len(files[name]))).encode() + files[name])
    return digest.hexdigest()
