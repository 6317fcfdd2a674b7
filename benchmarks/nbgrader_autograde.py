"""Wall time of `nbgrader autograde` on one class: with this kit's configuration, and with nbgrader's own Execute, which is unsafe.

    python -m benchmarks.nbgrader_autograde [--students N]        from the root of the repository

Every third student has everything right, one has half of it, one has handed in what they were given. Both runs start nbgrader
anew, grade into a fresh gradebook, and use the same hidden tests.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from autograder.course import COURSE
from tests.nbgrader_course import CONFIGURATION, Course

STOCK = """
for name in ("exporter_class", "sanitize_preprocessors", "autograde_preprocessors"):
    del c.Autograde[name]
c.Execute.timeout = 120
"""
EXERCISES = tuple(exercise.id for exercise in COURSE)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--students", type=int, default=6, metavar="N")
    students = parser.parse_args().students
    for name, configuration in (("with the kit's configuration", CONFIGURATION), ("with nbgrader's own Execute", CONFIGURATION + STOCK)):
        with tempfile.TemporaryDirectory() as folder:
            seconds = measured(Path(folder), configuration, students)
        print(f"{name}: {seconds:.1f} s for {students} students, {seconds / students:.1f} s each", flush=True)


def measured(folder: Path, configuration: str, students: int) -> float:
    """Seconds of one run of the command."""
    course = Course(folder, EXERCISES, configuration, whole=True)
    nbgrader(folder, "generate_assignment", "attention")
    for number in range(students):
        done = (EXERCISES, EXERCISES[: len(EXERCISES) // 2], ())[number % 3]
        course.hand_in(f"student-{number:02}", course.solved(*done), release=True)
    start = time.perf_counter()
    nbgrader(folder, "autograde", "attention")
    return time.perf_counter() - start


def nbgrader(folder: Path, *arguments: str) -> None:
    """Run nbgrader's command in a course folder."""
    run = subprocess.run([sys.executable, "-m", "nbgrader", *arguments], cwd=folder, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"nbgrader {' '.join(arguments)} failed:\n{run.stderr[-3000:]}")


if __name__ == "__main__":
    main()
