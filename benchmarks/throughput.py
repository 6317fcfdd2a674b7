"""Seconds a submission and peak memory of a whole class: `python -m benchmarks.throughput [--students 100] [--jobs 1 2] [--as-written]`,
from the root of the repository. Goes through `autograder.batch`, as the command does, the second submission to the last one.

Every student has everything right, in a text of their own. as-written: some exercises as in tests/variants/right, so that hardly
two students compute alike to the last bit.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from autograder.batch import Options, grade_class
from autograder.content.layout import Layout
from autograder.content.proof import solution_files
from autograder.course import COURSE
from autograder.jail import choose
from autograder.limits import DEFAULT
from autograder.submissions import discover
from benchmarks.memory import Watch
from benchmarks.timing import Timing

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How fast a class is graded, and in how much memory.")
    parser.add_argument("--students", type=int, default=100)
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--as-written", action="store_true")
    options = parser.parse_args()
    for jobs in options.jobs:
        with tempfile.TemporaryDirectory() as folder:
            make_class(Path(folder) / "in", options.students, options.as_written)
            seconds, peak = measure(Path(folder), jobs)
        print(f"{options.students} students, {jobs} jobs: {seconds:.3f} s a submission, peak {peak >> 20} MiB", flush=True)


def make_class(folder: Path, students: int, as_written: bool) -> None:
    """A folder for each student, with everything right in a text of their own."""
    for number in range(students):
        chance = random.Random(number)
        for path, text in texts(chance, as_written):
            target = folder / f"student{number:03}" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text + f"\n# {number} {chance.random()}\n".encode())


def texts(chance: random.Random, as_written: bool) -> Iterator[tuple[str, bytes]]:
    """A right submission: path -> content."""
    for path, text in solution_files(Layout(ROOT)).items():
        others = sorted((ROOT / "tests/variants/right" / Path(path).stem).glob("*.py"))
        yield path, chance.choice(others).read_bytes() if as_written and others and chance.random() < 0.5 else text


def measure(folder: Path, jobs: int) -> tuple[float, int]:
    """Seconds a submission from the second one on, of each job, and the largest memory of all processes together in bytes."""
    options = Options(choose("auto"), replace(DEFAULT, jobs=jobs), seed=1)
    candidates = discover([folder / "in"], DEFAULT).candidates
    start, finished = time.perf_counter(), list[float]()
    with Watch() as watch:
        for progress in grade_class(candidates, folder / "out", options):
            finished.append(time.perf_counter())
            if progress.row.score + progress.row.bonus != sum(exercise.points for exercise in COURSE):
                print(f"{progress.row.student}: {progress.row.score} + {progress.row.bonus}")
    timing = Timing(jobs, time.perf_counter() - start, tuple(finished), watch.peak)
    return timing.steady or timing.seconds, timing.peak


if __name__ == "__main__":
    main()
