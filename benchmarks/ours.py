"""`autograder grade` as an instructor starts it: wall time of the command, when each report was written, and memory of all processes."""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.recording import SEED
from benchmarks.timing import Failed, Timing, run, run_watched, written


def command(submissions: Path, out: Path, jobs: int, exercises: Sequence[str] = ()) -> list[str]:
    """The command that grades a class."""
    chosen = [f"--exercise={exercise}" for exercise in exercises]
    grade = [sys.executable, "-m", "autograder", "grade", str(submissions), "--out", str(out)]
    return [*grade, "--jobs", str(jobs), "--seed", str(SEED), *chosen]


def grade(submissions: Path, out: Path, jobs: int, exercises: Sequence[str] = (), *, seconds_between_looks: float = 0.0) -> Timing:
    """Grade a class of complete right submissions, cold: into a folder that is not there yet. Looks at the memory where told to."""
    started = command(submissions, out, jobs, exercises)
    seconds, peak = run_watched(started, seconds_between_looks) if seconds_between_looks else (run(started), 0)
    check(out)
    return Timing(jobs, seconds, reported(out), peak)


def grade_again(submissions: Path, out: Path, jobs: int) -> float:
    """Seconds of the same command once more, with nothing to grade."""
    before = reported(out)
    seconds = run(command(submissions, out, jobs))
    if reported(out) != before:
        raise Failed(f"{out}: an unchanged submission was graded again. Has the kit changed meanwhile?")
    return seconds


def reported(out: Path) -> tuple[float, ...]:
    """When each report was written."""
    return written(sorted(out.glob("*/report.json")))


def check(out: Path) -> None:
    """Failed where a submission did not get all points."""
    with open(out / "grades.csv", encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        if row["status"] != "graded" or float(row["score"]) != float(row["max_score"]):
            raise Failed(f"{row['student']} got {row['score']} of {row['max_score']} points, status {row['status']}")
