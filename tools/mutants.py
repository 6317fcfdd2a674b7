"""Mutation testing of the hidden graders: `make mutants`, or `python tools/mutants.py [EXERCISE ...]`.

Every mutant of every solution is handed in, behind the real jail; one that gets every point is a survivor. Survivors that are
no mistakes stand in equivalent_mutants.toml with the reason. Exits 1 where a survivor is not listed, or a listed one is none.
"""

from __future__ import annotations

import argparse
import atexit
import sys
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from mutation import SOLUTIONS, Mutant, mutants_of

from autograder.course import COURSE, find
from autograder.grading.grader import Grader
from autograder.grading.reference import reference
from autograder.grading.run import Budget, Code
from autograder.grading.student import Student
from autograder.jail import choose
from autograder.limits import Limits
from autograder.pool import local_pool
from autograder.submissions.provided import PROVIDED

LIST = Path(__file__).with_name("equivalent_mutants.toml")
# A mutant that never answers is killed, and must not hold up the others.
LIMITS = Limits(call_seconds=2, repeated_timeout_seconds=0.5, submission_seconds=30)
SEED = 20171


@dataclass(frozen=True)
class Equivalent:
    """A mutant that is a right answer too, and why."""

    exercise: str
    before: str
    after: str
    reason: str

    @property
    def key(self) -> tuple[str, str, str]:
        return self.exercise, self.before, self.after


def equivalents() -> dict[tuple[str, str, str], Equivalent]:
    """The listed mutants by their key."""
    with LIST.open("rb") as file:
        groups = tomllib.load(file)["equivalent"]
    listed = [Equivalent(group["exercise"], group["before"], after, group["reason"]) for group in groups for after in group["after"]]
    return {entry.key: entry for entry in listed}


def survives(grader: Grader, exercise: str, source: str, seed: int, stop_at_first: bool = True) -> bool:
    """Whether this module, handed in alone, gets every point. stop_at_first: look no further than the first lost point."""
    code = Code({f"exercises/{exercise}.py": source.replace("from solutions.", "from exercises.").encode(), **PROVIDED})
    spawn = partial(grader.template.spawn, code.files)
    student = Student(find(exercise), code, spawn, reference(), grader.limits, Budget(grader.limits.submission_seconds))
    whole = True
    try:
        for outcome in grader.tests.run(find(exercise), student, seed):
            whole &= outcome.status == "passed"
            if stop_at_first and not whole:
                break
    finally:
        student.close()
    return whole


_grader: Grader | None = None


def survives_here(exercise: str, source: str, seed: int, stop_at_first: bool) -> bool:
    """`survives`, with this process's own grader."""
    global _grader
    if _grader is None:
        _grader = Grader(choose("auto"), LIMITS)
        atexit.register(_grader.close)
    return survives(_grader, exercise, source, seed, stop_at_first)


def grade(mutants: Sequence[Mutant], seed: int, stop_at_first: bool) -> list[bool]:
    """Whether each mutant survives, on two processes."""
    with local_pool(2) as pool:
        runs = [pool.submit(survives_here, m.exercise, m.source, seed, stop_at_first) for m in mutants]
        for number, run in enumerate(runs, 1):
            run.result()
            if sys.stderr.isatty() or number % 200 == 0:
                print(f"\r{number} of {len(runs)}", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        return [run.result() for run in runs]


def main(arguments: Sequence[str] | None = None) -> int:
    """The command: a line per exercise, then what has to be looked at."""
    parser = argparse.ArgumentParser(description="Mutation testing of the hidden graders.")
    parser.add_argument("exercise", nargs="*", help="these exercises alone")
    parser.add_argument("--seed", type=int, default=SEED, help="the course seed of the hidden inputs")
    parser.add_argument("--all-tests", dest="stop_at_first", action="store_false", help="do not stop at a mutant's first lost point")
    options = parser.parse_args(arguments)
    exercises = [find(id).id for id in options.exercise] or [exercise.id for exercise in COURSE]
    start = time.monotonic()

    unchanged = [Mutant(id, 0, "", "", (SOLUTIONS / f"{id}.py").read_text(encoding="utf-8")) for id in exercises]
    mutants = [mutant for id in exercises for mutant in mutants_of(id)]
    alive = grade([*unchanged, *mutants], options.seed, options.stop_at_first)
    refused = [mutant.exercise for mutant, whole in zip(unchanged, alive, strict=False) if not whole]
    survivors = [mutant for mutant, whole in zip(mutants, alive[len(unchanged) :], strict=True) if whole]

    listed = equivalents()
    unlisted = [mutant for mutant in survivors if mutant.key not in listed]
    stale = [entry for key, entry in listed.items() if key[0] in exercises and key not in {mutant.key for mutant in survivors}]
    for id in exercises:
        total, left, new = (sum(m.exercise == id for m in group) for group in (mutants, survivors, unlisted))
        print(f"{id:16}{total:5} mutants{total - left:6} killed{left - new:5} equivalent{new:5} survivors")
    print(f"{len(mutants)} mutants, {len(mutants) - len(survivors)} killed, {len(survivors) - len(unlisted)} equivalent, ", end="")
    print(f"{len(unlisted)} survivors, in {time.monotonic() - start:.0f} s")
    for mutant in unlisted:
        print(f"\nsurvives: solutions/{mutant.exercise}.py, line {mutant.line}\n- {mutant.before}\n+ {mutant.after}")
    for entry in stale:
        print(f"\nlisted, and no survivor: {entry.exercise}\n- {entry.before}\n+ {entry.after}")
    for id in refused:
        print(f"\nthe solution of {id} itself loses points: nothing is known about its mutants")
    return 1 if unlisted or stale or refused else 0


if __name__ == "__main__":
    sys.exit(main())
