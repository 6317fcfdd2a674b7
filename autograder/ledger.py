"""Which submissions an output folder has graded already: for the same content, course, seed, jail and options.

A report counts only where the ledger knows it: a report.json that came from elsewhere is graded again.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import autograder
import solutions
from autograder.language import language
from autograder.reports.atomic import write_atomically
from autograder.reports.rows import Row
from autograder.submissions import Submission

if TYPE_CHECKING:
    from autograder.batch import Options

FOLDER = ".autograder/ledger"


class Ledger:
    """The ledger of one output folder, for one run's seed and options."""

    def __init__(self, out: Path, seed: int, options: Options):
        self.out = out
        self.folder = out / FOLDER
        how = (
            course_version(),
            np.__version__,
            seed,
            options.jail,
            options.exercises,
            options.lang or language(),
            astuple(options.limits)[:3],
        )
        self.run = repr(how)

    def key(self, submission: Submission) -> str:
        """What a report must have been made for to count: this content, student and notes, by this run's means."""
        facts = repr((self.run, submission.student, submission.digest, submission.notes))
        return hashlib.sha256(facts.encode("utf-8", "surrogatepass")).hexdigest()

    def find(self, folder: str, key: str) -> Row | None:
        """The row of a report that an earlier run wrote for this very key; None where there is none, or it was changed since."""
        try:
            entry = json.loads(self._entry(folder).read_text("utf-8"))
            text = (self.out / folder / "report.json").read_bytes()
            if entry != {"key": key, "report": hashlib.sha256(text).hexdigest()}:
                return None
            return Row.from_json(json.loads(text), folder)
        except (OSError, ValueError):
            return None

    def enter(self, folder: str, key: str) -> None:
        """Note the report that now stands in `folder`; without a key, note that none counts."""
        if not key:
            self._entry(folder).unlink(missing_ok=True)
            return
        text = (self.out / folder / "report.json").read_bytes()
        self.folder.mkdir(parents=True, exist_ok=True)
        write_atomically(self._entry(folder), json.dumps({"key": key, "report": hashlib.sha256(text).hexdigest()}))

    def _entry(self, folder: str) -> Path:
        return self.folder / f"{folder}.json"


@cache
def course_version() -> str:
    """A hash of everything that a verdict depends on: the grader, its hidden tests and the reference solutions."""
    digest = hashlib.sha256()
    for package in (autograder, solutions):
        root = Path(str(package.__file__)).parent
        for path in sorted(root.rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
