"""The parts of the benchmark: what is measured, how often, in which order. `python -m benchmarks` runs them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from importlib.metadata import version
from pathlib import Path

from benchmarks import floor, ours, selfcheck, stock_nbgrader, stock_otter
from benchmarks.assignment import ALL, FOUR, Assignment
from benchmarks.breakdown import NAME_WIDTH
from benchmarks.environments import Environment, environment
from benchmarks.machine import description
from benchmarks.results import Part, Row
from benchmarks.throughput import make_class
from benchmarks.timing import Failed, Timing, run

NBGRADER = f"nbgrader=={version('nbgrader')}"  # the one that the kit works with
OTTER = "otter-grader[grading]==7.0.0"
OURS, STOCK, OTTER_RUN, OTTER_API, THROUGH_NBGRADER = (
    "autograder grade",
    "nbgrader autograde",
    "otter run",
    "otter's API in one process",
    "nbgrader autograde with this kit",
)

Grade = Callable[[Path, int], Timing]  # of a class, into a scratch folder, with so many jobs
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Size:
    """How much is measured. classes: submissions -> the jobs and the number of runs."""

    classes: dict[int, tuple[tuple[int, ...], int]]
    watched: tuple[int, ...]  # classes with a run of their own for the memory
    assignments: tuple[tuple[str, ...], ...]
    jobs: tuple[int, ...]
    of_peers: int  # submissions, of which each job gets as many: a peer takes as long for each
    of_ours: int
    repeats: int
    floor: int  # submissions
    selfchecks: int
    breakdowns: int


FULL = Size(
    classes={1: ((1, 2), 5), 10: ((1, 2), 3), 100: ((1, 2), 3), 1000: ((2,), 1)},
    watched=(10, 100),
    assignments=(FOUR, ALL),
    jobs=(1, 2),
    of_peers=6,
    of_ours=30,
    repeats=3,
    floor=20,
    selfchecks=5,
    breakdowns=5,
)
QUICK = Size(
    classes={1: ((1, 2), 1), 10: ((1, 2), 1)},
    watched=(10,),
    assignments=(FOUR,),
    jobs=(1, 2),
    of_peers=4,
    of_ours=6,
    repeats=1,
    floor=4,
    selfchecks=2,
    breakdowns=1,
)


@dataclass(frozen=True)
class Bench:
    """One run of the benchmark. folder: build/bench, where environments stay. scratch: a folder that is removed afterwards."""

    size: Size
    folder: Path
    scratch: Path
    tell: Progress
    remarks: list[str] = field(default_factory=list)

    @contextmanager
    def remarking(self, what: str) -> Iterator[None]:
        """What fails is told and left out: a peer that cannot be installed is no reason to have no figures."""
        try:
            yield
        except Failed as error:
            self.remarks.append(f"{what}: {error}")
            self.tell(f"{what} could not be measured: {error}")

    @cached_property
    def calls(self) -> Path:
        """The recorded calls of the hidden tests."""
        file = self.scratch / "recorded.pickle"
        run([sys.executable, "-m", "benchmarks.recording", str(file)])
        return file

    def fresh(self, name: str) -> Path:
        """An empty scratch folder."""
        path = self.scratch / name
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)
        return path


def scale(bench: Bench) -> Iterator[Row]:
    """Our grading of a class of N, cold and once more unchanged, and the memory of the batch."""
    for students, (all_jobs, repeats) in bench.size.classes.items():
        handed_in = bench.fresh("class")
        make_class(handed_in, students, as_written=False)
        for jobs in all_jobs:
            timings, again, peak = [], [], 0
            for _ in range(repeats):
                out = bench.fresh("out")
                looks = LOOKS_IN_A_LONG_RUN if students >= LONG else 0.0
                timings.append(ours.grade(handed_in, out, jobs, seconds_between_looks=looks))
                again.append(ours.grade_again(handed_in, out, jobs))
            if students in bench.size.watched:
                peak = ours.grade(handed_in, bench.fresh("out"), jobs, seconds_between_looks=LOOKS).peak
            yield Row.of(OURS, timings, len(ALL), again=again, peak=peak)


LONG = 1000  # submissions: the run that is timed is also the one that is watched, with looks so far apart that they cost nothing
LOOKS, LOOKS_IN_A_LONG_RUN = 0.5, 5.0  # seconds between looks at the memory


def peers(bench: Bench) -> Iterator[Row]:
    """Each grader on an equal assignment; the graders by turns, so that what else the machine does falls on all of them."""
    for exercises in bench.size.assignments:
        assignment = Assignment.of(exercises, bench.calls)
        graders = {}
        for name, prepare in GRADERS.items():
            with bench.remarking(f"{name}, {len(exercises)} exercises"):
                graders[name] = prepare(bench, assignment)
        timings: dict[tuple[str, int], list[Timing]] = {}
        for _ in range(bench.size.repeats):
            for jobs in bench.size.jobs:
                for name, grade in graders.items():
                    with bench.remarking(f"{name}, {len(exercises)} exercises, {jobs} jobs"):
                        timings.setdefault((name, jobs), []).append(grade(bench.fresh("out"), jobs))
                        bench.tell(f"{name}, {len(exercises)} exercises, {jobs} jobs: {timings[name, jobs][-1].seconds:.1f} s")
        for (name, _), runs in timings.items():
            if runs:
                yield Row.of(name, runs, len(exercises))


def our_grading(bench: Bench, assignment: Assignment) -> Grade:
    """`autograder grade` on the notebooks of the class."""
    handed_in = bench.fresh("ours")
    assignment.hand_in(handed_in, bench.size.of_ours)
    return lambda scratch, jobs: ours.grade(handed_in, scratch, jobs, assignment.exercises)


def nbgrader_grading(bench: Bench, assignment: Assignment, *, stock: bool) -> Grade:
    """`nbgrader autograde`, its own or with this kit, which is in the environment that this runs in."""
    env = environment(bench.folder / "envs" / "nbgrader", NBGRADER) if stock else Environment(Path(sys.prefix))
    course = bench.fresh("stock" if stock else "kit")
    configuration = stock_nbgrader.STOCK if stock else stock_nbgrader.WITH_THE_KIT
    stock_nbgrader.prepare(course, assignment, bench.size.of_peers, env, configuration)
    return lambda scratch, jobs: stock_nbgrader.grade(course, scratch, assignment, jobs, env)


def otter_grading(bench: Bench, assignment: Assignment, *, command: bool) -> Grade:
    """otter-grader, by its command or by its API."""
    env = environment(bench.folder / "envs" / "otter", OTTER)
    course = bench.fresh("otter-run" if command else "otter-api")
    stock_otter.prepare(course, assignment, bench.size.of_peers, env)
    grade = stock_otter.grade if command else stock_otter.grade_in_one_process
    return lambda scratch, jobs: grade(course, scratch, assignment, jobs, env)


GRADERS: dict[str, Callable[[Bench, Assignment], Grade]] = {
    OURS: our_grading,
    THROUGH_NBGRADER: partial(nbgrader_grading, stock=False),
    STOCK: partial(nbgrader_grading, stock=True),
    OTTER_RUN: partial(otter_grading, command=True),
    OTTER_API: partial(otter_grading, command=False),
}


def least(bench: Bench) -> Iterator[Row]:
    """The floor, with the calls of each assignment and with none."""
    handed_in = bench.fresh("modules")
    floor.hand_in(handed_in, bench.size.floor)
    for jobs in bench.size.jobs:
        yield Row.of("import numpy", [floor.import_numpy(bench.size.floor, jobs) for _ in range(bench.size.repeats)], 0)
        for exercises in bench.size.assignments:
            support = bench.fresh("support")
            Assignment.of(exercises, bench.calls).support(support)
            runs = [floor.make_calls(handed_in, support, exercises, jobs) for _ in range(bench.size.repeats)]
            yield Row.of("the calls", runs, len(exercises))


def self_check(bench: Bench) -> Iterator[Row]:
    """The visible tests in an unpacked release, against the import of NumPy and pytest."""
    done, stubs = selfcheck.unpack(bench.fresh("release"))
    one = f"exercises/tests/test_{FOUR[1]}.py"
    waits: dict[str, Callable[[], float]] = {
        "import numpy, pytest": lambda: selfcheck.import_both(done),
        f"pytest, one exercise ({FOUR[1]})": lambda: selfcheck.check(done, one),
        "pytest, everything done": lambda: selfcheck.check(done),
        "pytest, the stubs as released": lambda: selfcheck.check(stubs),
    }
    for who, measured in waits.items():
        measured()  # compiles what is new
        yield Row(who, [measured() for _ in range(bench.size.selfchecks)])


def breakdown(bench: Bench) -> Iterator[Row]:
    """Where the time of one submission goes, from benchmarks/breakdown.py in a process of its own: it wraps parts of the grader."""
    command = [sys.executable, "-m", "benchmarks.breakdown", "--runs", str(bench.size.breakdowns)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(done.stderr[-2000:])
    head, *lines = done.stdout.splitlines()
    for line in lines:
        facts = map(float, line[NAME_WIDTH:].split())
        yield Row(line[:NAME_WIDTH].strip(), facts=dict(zip(head.split(), facts, strict=True)))


PARTS: dict[str, Callable[[Bench], Iterator[Row]]] = {
    "scale": scale,
    "peers": peers,
    "floor": least,
    "selfcheck": self_check,
    "breakdown": breakdown,
}


def measure(name: str, bench: Bench) -> Part:
    """Run one part."""
    machine, rows = {**description(), "against": f"{NBGRADER}, {OTTER}"}, list[Row]()
    bench.remarks.clear()
    with bench.remarking(name):
        for row in PARTS[name](bench):
            rows.append(row)
            bench.tell(f"{name}: {in_words(row)}")
    return Part(machine, tuple(rows), tuple(bench.remarks))


def in_words(row: Row) -> str:
    """One row for the terminal."""
    if row.facts:
        return f"{row.who}: " + ", ".join(f"{name} {value:g}" for name, value in row.facts.items())
    words = [row.who]
    words += [f"{row.exercises} exercises"] * (row.exercises > 0)
    words += [f"{row.students} submissions, {row.jobs} jobs"] * (row.students > 0)
    words.append(f"{row.whole:.2f} s")
    if row.each_after_the_first is not None:
        words.append(f"{row.each_after_the_first:.3f} s a submission from the second on")
    words += [f"{row.peak >> 20} MiB"] * (row.peak > 0)
    return ", ".join(words)


def names(chosen: Sequence[str]) -> list[str]:
    """The chosen parts in their order, all where none is chosen."""
    return [name for name in PARTS if not chosen or name in chosen]
