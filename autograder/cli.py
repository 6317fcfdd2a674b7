"""The command `autograder`: reads the arguments, calls the room that does the work, prints what came of it."""

from __future__ import annotations

import argparse
import math
import os
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from autograder import __version__
from autograder.arguments import Unusable
from autograder.content.layout import ASSIGNMENTS
from autograder.course import COURSE, SEED, deadline, first_flaw
from autograder.language import LANGUAGES, speaking
from autograder.limits import DEFAULT, MIB, Limits
from autograder.text import visible

if TYPE_CHECKING:
    from autograder.batch import Options, Progress
    from autograder.cluster import ClusterCrew
    from autograder.reports.rows import Row
    from autograder.submissions import Candidate

EXPORTS = ("canvas", "moodle", "gradescope", "csv", "gradescope-autograder")
JAILS = ("auto", "bubblewrap", "landlock", "none")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is the contract's: 0 done, 1 something could not be done, 2 unusable arguments."""
    arguments = parser().parse_args(argv)
    try:
        with speaking(arguments.lang):
            return int(arguments.run(arguments))
    except Unusable as error:
        print(f"autograder {arguments.command}: {visible(str(error), lines=True)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt as stop:
        print("\nInterrupted. Run the same command again to go on from here.", file=sys.stderr)
        return 128 + (stop.args[0] if stop.args else signal.SIGINT)


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
    grade.add_argument(
        "--jobs", type=whole_number, default=DEFAULT.jobs, metavar="N", help=f"grader processes on this machine (default: {DEFAULT.jobs})"
    )
    grade.add_argument("--jail", choices=JAILS, default="auto", help="how student code is confined (default: auto)")
    grade.add_argument("--scheduler", metavar="ADDRESS", help="a running Dask cluster to grade on, such as tcp://host:8786")
    grade.add_argument(
        "--seed",
        type=seed_number,
        metavar="N",
        help="seed of the hidden inputs (default: DIR's own, at its first run SEED of course.py, else drawn)",
    )
    grade.add_argument("--fresh", action="store_true", help="grade again what an earlier run has graded")
    grade.add_argument(
        "--similarity",
        action="store_true",
        help="list submissions with much code in common, in summary.html and similarity.csv: a figure to look into, never a verdict",
    )
    grade.add_argument("--call-seconds", type=seconds, default=DEFAULT.call_seconds, metavar="S", help="limit for one call (default: 10)")
    grade.add_argument(
        "--submission-seconds", type=seconds, default=DEFAULT.submission_seconds, metavar="S", help="for a submission (default: 120)"
    )
    grade.add_argument(
        "--memory", type=whole_number, default=DEFAULT.memory // MIB, metavar="MIB", help="memory for student code (default: 1024)"
    )

    collect = command("collect", run_collect, "Bring what came in into nbgrader's submitted tree, a filled-in notebook per student.")
    collect.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="what `grade` takes, the zip of a class too")
    collect.add_argument("--out", type=Path, default=Path("submitted"), metavar="DIR", help="the tree (default: submitted)")
    collect.add_argument(
        "--assignment", choices=tuple(ASSIGNMENTS.values()), help="where it all goes (default: each notebook's own, modules to the first)"
    )
    collect.add_argument(
        "--students", type=Path, metavar="FILE", help="whose submissions these are: nbgrader's student CSV, or gradebook.db"
    )
    collect.add_argument(
        "--release", type=Path, metavar="DIR", help="nbgrader's release folder (default: the one beside the tree, else made from source/)"
    )
    collect.add_argument("--force", action="store_true", help="put a submission in place of a newer one too")

    export = command("export", run_export, "Write the scores of a graded class for an LMS or a spreadsheet.")
    export.add_argument("folder", nargs="?", type=Path, metavar="DIR", help="what `grade` wrote")
    export.add_argument("--to", choices=EXPORTS, required=True, help="for whom; gradescope-autograder runs the kit there and needs no DIR")
    export.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="where it goes; results for Gradescope: .json, .zip or a folder"
    )
    export.add_argument("--roster", type=Path, metavar="FILE", help="fill in this gradebook of Canvas's or worksheet of Moodle's")
    export.add_argument(
        "--column", metavar="NAME", help="Canvas: the assignment's column (default: attention); Moodle: the grade's in --roster"
    )
    export.add_argument("--bonus", action="store_true", help="count the bonus exercises too")

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


def run_collect(arguments: argparse.Namespace) -> int:
    """`autograder collect`."""
    from autograder.collect.command import run_collect

    return run_collect(
        arguments.paths,
        arguments.out,
        assignment=arguments.assignment,
        students=arguments.students,
        release=arguments.release,
        force=arguments.force,
    )


def run_export(arguments: argparse.Namespace) -> int:
    """`autograder export`."""
    from autograder.export.command import run_export

    return run_export(
        arguments.folder, arguments.to, arguments.out, roster=arguments.roster, column=arguments.column, bonus=arguments.bonus
    )


def run_doctor(arguments: argparse.Namespace) -> int:
    """`autograder doctor`."""
    from autograder.doctor import print_report

    return print_report()


def run_grade(arguments: argparse.Namespace) -> int:
    """`autograder grade`."""
    from rich.console import Console

    from autograder.batch import Options, grade_class
    from autograder.crew import Stopped
    from autograder.jail import JailUnavailable, choose
    from autograder.reports.table import print_table
    from autograder.submissions import discover

    if flaw := first_flaw():
        raise Unusable(flaw)
    for path in arguments.paths:
        if not os.path.lexists(path):
            raise Unusable(f"{path}: there is no such file or folder")
    if arguments.out.exists() and not arguments.out.is_dir():
        raise Unusable(f"--out {arguments.out}: that is a file; name a folder")
    limits = limits_from(arguments)
    found = discover(arguments.paths, limits)
    for note in found.notes:
        print(visible(note), file=sys.stderr)
    if not found.candidates:
        raise Unusable(f"no submission found in {', '.join(map(str, arguments.paths))}")
    crew = cluster_crew(arguments.scheduler, arguments.jail) if arguments.scheduler else None
    try:
        jail = crew.jail if crew is not None else choose(arguments.jail)
    except JailUnavailable as error:
        raise Unusable(str(error)) from None
    if jail == "none":
        where = "on the workers" if crew is not None else "on this machine"
        print(f"Warning: --jail none runs student code unconfined, with your rights, {where}.", file=sys.stderr)
    if arguments.seed is None:
        tell_of_another_seed(arguments.out)
    candidates = with_late_notes(found.candidates)
    options = Options(jail, limits, tuple(arguments.exercise), arguments.seed, arguments.fresh, arguments.lang, crew)
    try:
        with (
            other_signals_as_ctrl_c(),
            closing(grade_class(candidates, arguments.out, options)) as steps,
            closing(with_progress(steps)) as shown,
        ):
            rows = [step.row for step in shown]
    except Stopped as error:
        print(f"\nautograder grade: {error}", file=sys.stderr)
        return 1
    console = Console()
    print_table(rows, console)
    if arguments.similarity:
        compare_submissions(candidates, rows, arguments.out, options)
    tables = "grades.csv, similarity.csv" if arguments.similarity else "grades.csv"
    console.print(f"Reports, {tables} and summary.html are in {arguments.out}", markup=False, highlight=False, soft_wrap=True)
    return 1 if any(row.status == "error" for row in rows) else 0


def tell_of_another_seed(out: Path) -> None:
    """A remark where SEED was set after the folder's first run: what is graded there already was graded with the seed that it kept."""
    from autograder.batch import STATE, kept_seed

    kept = out / STATE / "seed"
    if SEED is not None and kept.is_file() and kept_seed(out) != SEED:
        print(f"{out} has a seed from its first run, which goes before SEED of course.py; delete {kept} to use SEED", file=sys.stderr)


def with_late_notes(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, with a note where a time stamp says that they came in after DEADLINE."""
    from autograder.collect.origin import submission_times
    from autograder.reports.late import late_note

    due = deadline()
    if due is None:
        return list(candidates)
    notes = {candidate: late_note(time, due) for candidate, time in submission_times(candidates).items()}
    return [replace(one, notes=(*one.notes, notes[one])) if notes.get(one) else one for one in candidates]


def compare_submissions(candidates: Sequence[Candidate], rows: Sequence[Row], out: Path, options: Options) -> None:
    """Write similarity.csv, and summary.html once more with the pairs that stand out."""
    from autograder.reports.similar import write_similarity
    from autograder.reports.summary import write_summary
    from autograder.similarity import similar_submissions

    print(f"comparing {len(candidates)} submissions", file=sys.stderr, flush=True)
    similar = similar_submissions(candidates, options.limits)
    write_similarity(out / "similarity.csv", similar)
    write_summary(out / "summary.html", rows, similar=similar, language=options.lang)


def limits_from(arguments: argparse.Namespace) -> Limits:
    """The limits, with those that the command line sets."""
    return replace(
        DEFAULT,
        jobs=arguments.jobs,
        memory=arguments.memory * MIB,
        call_seconds=arguments.call_seconds,
        submission_seconds=arguments.submission_seconds,
    )


def cluster_crew(address: str, jail: str) -> ClusterCrew:
    """The workers of a running Dask cluster."""
    try:
        from autograder.cluster import connect
    except ModuleNotFoundError as error:
        if error.name not in ("dask", "distributed"):
            raise
        raise Unusable("--scheduler needs Dask: pip install 'attention-autograder[dask]'") from None
    return connect(address, jail)


@contextmanager
def other_signals_as_ctrl_c() -> Iterator[None]:
    """Whoever asks the run to end, a service manager or a terminal that closes, has it end as Ctrl-C does. What is ignored stays so."""

    def interrupt(number: int, _: object) -> None:
        raise KeyboardInterrupt(number)

    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    here = threading.current_thread() is threading.main_thread()  # where alone Python lets them be set
    changed = [number for number in map(signal.Signals.__getitem__, names) if here and signal.getsignal(number) is signal.SIG_DFL]
    for number in changed:
        signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number in changed:
            signal.signal(number, signal.SIG_DFL)


def with_progress(steps: Iterable[Progress]) -> Generator[Progress, None, None]:
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
