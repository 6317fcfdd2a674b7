"""`autograder build` and `autograder release` as the command line runs them: what they print and their exit codes."""

from __future__ import annotations

import sys
from pathlib import Path

from autograder.content.build import build
from autograder.content.layout import Layout, Misplaced
from autograder.content.release import ReleaseError, release
from autograder.course import COURSE, MAX_SCORE


def run_build(*, check: bool, layout: Layout | None = None) -> int:
    """Build, or check; a line for each file written and for each fault. 1 where a fault is left, 2 without a course."""
    try:
        built = build(layout, check=check)
    except Misplaced as error:
        return _complain(str(error), code=2)
    for name in built.written:
        print(f"wrote {name}")
    for fault in built.faults:
        print(fault, file=sys.stderr)
    for note in built.notes:
        print(f"Note: {note}", file=sys.stderr)
    if built.faults:
        return _complain(f"{len(built.faults)} faults", code=1)
    if check:
        bonus = sum(exercise.points for exercise in COURSE if exercise.bonus)
        print(f"{len(COURSE)} exercises, {MAX_SCORE:g} points and {bonus:g} bonus: all up to date and complete")
    elif not built.written:
        print("nothing to do: everything is up to date")
    return 0


def run_release(out: Path, layout: Layout | None = None) -> int:
    """Release every assignment to `out`. 1 where there is no release, 2 without a course."""
    try:
        released = release(out, layout)
    except Misplaced as error:
        return _complain(str(error), code=2)
    except ReleaseError as error:
        return _complain(f"{error}\nNothing was released.", code=1)
    for assignment in released:
        print(f"{assignment.archive}, and the same as a folder, {assignment.folder}")
    print("No line of a solution and no hidden test is in it.")
    return 0


def _complain(text: str, *, code: int) -> int:
    print(text, file=sys.stderr)
    return code
