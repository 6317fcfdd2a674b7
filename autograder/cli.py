"""The command `autograder`: reads the arguments, calls the room that does the work, prints what came of it."""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from autograder import __version__
from autograder.course import COURSE
from autograder.language import LANGUAGES, speaking
from autograder.limits import DEFAULT, MIB, Limits

if TYPE_CHECKING:
    from autograder.batch import Progress

JAILS = ("auto", "bubblewrap", "landlock", "none")


class Unusable(Exception):
    """Arguments that cannot be used; the text says why and what to do instead."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is the contract's: 0 done, 1 something could not be done, 2 unusable arguments."""
    arguments = parser().parse_args(argv)
    try:
        with speaking(arguments.lang):
            return int(arguments.run(arguments))
    except Unusable as error:
        print(f"autograder {arguments.command}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nInterrupted. Run the same command again to go on from here.", file=sys.stderr)
        return 130


def parser() -> argparse.ArgumentParser:
    """The command line of the contract, section 6."""
    top = argparse.ArgumentParser(prog="autograder", description="Auto-graded exercises on the attention mechanism: build, release, grade.")
    top.add_argument("--version", action="version", version=f"autograder {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=text, description=text)
        added.add_argument("--lang", choices=LANGUAGES, help="language of what students read (default: AUTOGRADER_LANG, else en)")
        added.set_defaults(run=run)
        return added

    build = command("build", run_build, "Write stubs and notebook code cells from solutions/.")
    build.add_argument("--check", action="store_true", help="write nothing; fail if anything is out of date or incomplete")

    release = command("release", run_release, "Make what students get: nbgrader's release and a zip of it, checked for leaks.")
    release.add_argument("--out", type=Path, default=Path("release"), metavar="DIR", help="where it goes (default: release)")

    grade = command("grade", run_grade, "Grade submissions: folders, archives, notebooks, modules, or a folder with one per student.")
    grade.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    grade.add_argument("--out", type=Path, required=True, metavar="DIR", help="where reports, grades.csv and summary.html go")
    grade.add_argument(
        "--exercise", action="append", choices=[e.id for e in COURSE], default=[], metavar="ID", help="only this one; repeatable"
    )
    grade.add_argument("--jobs", type=whole_number, default=DEFAULT.jobs, metavar="N", help=f"grader processes (default: {DEFAULT.jobs})")
    grade.add_argument("--jail", choices=JAILS, default="auto", help="how student code is confined (default: auto)")
    grade.add_argument("--scheduler", metavar="ADDRESS", help="a running Dask cluster to grade on, such as tcp://host:8786")
    grade.add_argument(
        "--seed", type=seed_number, metavar="N", help="seed of the hidden inputs (default: drawn at the first run, kept in DIR)"
    )
    grade.add_argument("--fresh", action="store_true", help="grade again what an earlier run has graded")
    grade.add_argument("--call-seconds", type=seconds, default=DEFAULT.call_seconds, metavar="S", help="limit for one call (default: 10)")
    grade.add_argument(
        "--submission-seconds", type=seconds, default=DEFAULT.submission_seconds, metavar="S", help="for a submission (default: 120)"
    )
    grade.add_argument(
        "--memory", type=whole_number, default=DEFAULT.memory // MIB, metavar="MIB", help="memory for student code (default: 1024)"
    )

    command("doctor", run_doctor, "Tell what this machine offers: Python, NumPy, jails, nbgrader.")
    return top


def whole_number(text: str) -> int:
    """A whole number of at least 1."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def seed_number(text: str) -> int:
    """A whole number of at least 0."""
    if not text.isascii() or not text.isdigit() or int(text) >= 2**63:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 2**63 - 1")
    return int(text)


def seconds(text: str) -> float:
    """A positive number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not (value > 0 and math.isfinite(value)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number of seconds")
    return value


# Each command imports what it needs: a grading machine needs no build, and `--help` should be instant.


def run_build(arguments: argparse.Namespace) -> int:
    """`autograder build`."""
    from autograder.content.command import run_build

    return run_build(check=arguments.check)


def run_release(arguments: argparse.Namespace) -> int:
    """`autograder release`."""
    from autograder.content.command import run_release

    return run_release(arguments.out)


def run_doctor(arguments: argparse.Namespace) -> int:
    """`autograder doctor`."""
    from autograder.doctor import print_report

    return print_report()


def run_grade(arguments: argparse.Namespace) -> int:
    """`autograder grade`."""
    from rich.console import Console

    from autograder.batch import Options, grade_class
    from autograder.jail import JailUnavailable, choose
    from autograder.reports.table import print_table
    from autograder.submissions import discover
    from autograder.text import visible

    for path in arguments.paths:
        if not os.path.lexists(path):
            raise Unusable(f"{path}: there is no such file or folder")
    if arguments.out.exists() and not arguments.out.is_dir():
        raise Unusable(f"--out {arguments.out}: that is a file; name a folder")
    executor = dask_executor(arguments.scheduler) if arguments.scheduler else None
    try:
        jail = choose(arguments.jail)
    except JailUnavailable as error:
        raise Unusable(str(error)) from None
    if jail == "none":
        print("Warning: --jail none runs student code unconfined, with your rights, on this machine.", file=sys.stderr)
    options = Options(jail, limits_from(arguments), tuple(arguments.exercise), arguments.seed, arguments.fresh, arguments.lang, executor)
    found = discover(arguments.paths, options.limits)
    for note in found.notes:
        print(visible(note), file=sys.stderr)
    if not found.candidates:
        raise Unusable(f"no submission found in {', '.join(map(str, arguments.paths))}")
    rows = [step.row for step in with_progress(grade_class(found.candidates, arguments.out, options))]
    console = Console()
    print_table(rows, console)
    console.print(f"Reports, grades.csv and summary.html are in {arguments.out}", markup=False, highlight=False, soft_wrap=True)
    return 1 if any(row.status == "error" for row in rows) else 0


def limits_from(arguments: argparse.Namespace) -> Limits:
    """The limits, with those that the command line sets."""
    return replace(
        DEFAULT,
        jobs=arguments.jobs,
        memory=arguments.memory * MIB,
        call_seconds=arguments.call_seconds,
        submission_seconds=arguments.submission_seconds,
    )


def dask_executor(address: str) -> Callable[[], Executor]:
    """The executor of a running Dask cluster."""
    try:
        from distributed import Client
    except ImportError:
        raise Unusable("--scheduler needs Dask: pip install 'attention-autograder[dask]'") from None
    client = Client(address)
    return client.get_executor


def with_progress(steps: Iterator[Progress]) -> Iterator[Progress]:
    """The same steps, with a bar on a terminal's stderr and a line now and then elsewhere."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    columns = (
        TextColumn("grading"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[student]}", markup=False),
    )
    with Bar(*columns, console=console, transient=True) if console.is_terminal else nullcontext() as bar:
        task = bar.add_task("grading", total=None, student="") if bar is not None else None
        for step in steps:
            if bar is not None and task is not None:
                bar.update(task, completed=step.done, total=step.total, student=step.row.student)
            elif step.done == step.total or step.done % max(1, step.total // 10) == 0:
                print(f"graded {step.done} of {step.total}", file=sys.stderr, flush=True)
            yield step
