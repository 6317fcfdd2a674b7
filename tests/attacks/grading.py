"""Grades a class of hostile submissions; a program too, for an interpreter that another user can run.

python -m tests.attacks.grading CLASS OUT JAIL EXERCISE...
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from autograder.batch import Options, grade_class
from autograder.limits import DEFAULT, MIB
from autograder.submissions import discover

SEED = 918_273_645
# Short, because many attacks end when their time does; long enough for a right answer on a busy machine.
LIMITS = replace(DEFAULT, call_seconds=1.5, repeated_timeout_seconds=0.05, submission_seconds=10, memory=192 * MIB, scratch=8 * MIB)


def grade(submissions: Path, out: Path, jail: str, exercises: Sequence[str]) -> None:
    """The reports of all submissions in a folder, in one batch."""
    found = discover([submissions], LIMITS).candidates
    for _ in grade_class(found, out, Options(jail, LIMITS, tuple(exercises), SEED, lang="en")):
        pass


if __name__ == "__main__":
    grade(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4:])
