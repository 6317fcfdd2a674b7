"""Whether verdicts depend on the course seed: `make seeds`, or `python tools/seeds.py [EXERCISE ...] --seeds 50`.

Hands in every entry of the catalogue of misconceptions and every right variant under tests/variants, for many seeds. A misconception must
lose points with each of them, a right variant must lose none. Exits 1, with the seeds, where a verdict changes.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import as_completed
from pathlib import Path

from mutants import survives_here

from autograder.course import COURSE
from autograder.misconceptions.catalogue import catalogue
from autograder.pool import local_pool

ROOT = Path(__file__).resolve().parents[1]
SEEDS = 50


def submissions(exercise: str) -> list[tuple[str, str, bool]]:
    """What is handed in for one exercise: a name, the module, and whether it is right."""
    solution = (ROOT / "solutions" / f"{exercise}.py").read_text("utf-8")
    wrong = [(entry.id, entry.as_module(solution), False) for entry in catalogue() if entry.exercise == exercise]
    paths = sorted((ROOT / "tests" / "variants" / "right" / exercise).glob("*.py"))
    return wrong + [(f"{exercise}/{path.stem}", path.read_text("utf-8"), True) for path in paths]


def main() -> int:
    """Run all; print a line per exercise and each verdict that changes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("exercises", nargs="*", metavar="EXERCISE", help="only these (default: all)")
    parser.add_argument("--seeds", type=int, default=SEEDS, metavar="N", help=f"how many seeds (default: {SEEDS})")
    arguments = parser.parse_args()
    changed = 0
    with local_pool(2) as pool:
        for exercise in arguments.exercises or [e.id for e in COURSE]:
            start, given = time.monotonic(), submissions(exercise)
            jobs = {
                pool.submit(survives_here, exercise, module, seed, True): (name, seed, right)
                for seed in range(1, arguments.seeds + 1)
                for name, module, right in given
            }
            for job in as_completed(jobs):
                name, seed, right = jobs[job]
                if job.result() is not right:
                    changed += 1
                    print(f"  {name}: {'loses points' if right else 'gets every point'} with seed {seed}", flush=True)
            right_ones = sum(right for *_, right in given)
            took = time.monotonic() - start
            print(f"{exercise}: {len(given) - right_ones} wrong and {right_ones} right, {arguments.seeds} seeds, {took:.0f} s", flush=True)
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
