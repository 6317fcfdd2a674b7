"""Grades a class: a map over submissions with a crew of graders, each report written when it is ready.

Called by the command line. A run can be interrupted and started again: what is graded already is found in the ledger.
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from autograder.course import SEED
from autograder.crew import Crew, LocalCrew, Stopped, error_report
from autograder.language import language, say, speaking
from autograder.ledger import Ledger, Way, this_kit
from autograder.limits import Limits
from autograder.lock import alone_in
from autograder.pool import Job
from autograder.reports.atomic import remove_leftovers, write_atomically
from autograder.reports.files import write_report
from autograder.reports.grades import write_grades
from autograder.reports.model import Report
from autograder.reports.rows import Row
from autograder.reports.summary import write_summary
from autograder.submissions import Candidate, Unreadable, folder_name, open_submission

STATE = ".autograder"  # in the output folder: the seed, the ledger and the lock, which students never see
WRITERS = 4  # threads: a report waits for the disk, and syncs that wait together are done together
MOST_WRITING = 4 * WRITERS
SECONDS_BETWEEN_LOOKS = 0.1  # at what the writers have done, while graders are at work


@dataclass(frozen=True)
class Options:
    """What the command line chose. jail: the one to use, not "auto"."""

    jail: str
    limits: Limits
    exercises: tuple[str, ...] = ()
    seed: int | None = None
    fresh: bool = False
    lang: str | None = None
    crew: Crew | None = None  # who grades; None: processes on this machine


@dataclass(frozen=True)
class Progress:
    """One submission is done. `skipped`: an earlier run had graded it."""

    done: int
    total: int
    row: Row
    skipped: bool


def grade_class(candidates: Sequence[Candidate], out: Path, options: Options) -> Generator[Progress, None, None]:
    """Grade these submissions into the folder `out`, in the order in which they get ready.

    grades.csv and summary.html are written at the end, also when the caller stops early. Raises Stopped where the run cannot go on,
    and Unusable at once where another run is writing into `out`.
    """
    with speaking(options.lang), alone_in(out, out / STATE):
        run = _Run(candidates, out, options)
        rows: list[Row] = []
        try:
            for row, skipped in run.graded():
                rows.append(row)
                yield Progress(len(rows), len(candidates), row, skipped)
        finally:
            rows += run.close()
            try:
                write_grades(out / "grades.csv", rows)
                write_summary(out / "summary.html", rows, language=language())
            except OSError as error:
                raise disk_trouble(error) from error


def kept_seed(out: Path) -> int:
    """The seed of this output folder: the course's own at its first run, else one drawn at random, and kept there."""
    path = out / STATE / "seed"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, f"{secrets.randbelow(2**31) if SEED is None else SEED}\n")
    text = path.read_text("ascii").strip()
    if not text.isdigit():
        raise ValueError(f"{path} must hold a whole number; delete it to have a new seed drawn")
    return int(text)


class _Run:
    """One run over a class: opens a few submissions ahead of the graders, and has what they give written by threads."""

    def __init__(self, candidates: Sequence[Candidate], out: Path, options: Options):
        self.waiting, self.folders = deque(candidates), unique_folders(candidates)
        self.out, self.options, self.lang = out, options, language()
        self.seed = options.seed if options.seed is not None else kept_seed(out)
        way = Way(this_kit(), self.seed, options.jail, self.lang, options.exercises, options.limits)
        self.ledger = Ledger(out, out / STATE, way)
        remove_leftovers(out)
        self.crew = options.crew or LocalCrew(options.limits.jobs)
        self.writers = ThreadPoolExecutor(WRITERS, thread_name_prefix="writer")
        self.writing: set[Future[Row]] = set()

    def graded(self) -> Iterator[tuple[Row, bool]]:
        """A row for each submission, and whether an earlier run had graded it."""
        while self.waiting or self.crew.busy or self.writing:
            while self.waiting and self.crew.has_room and len(self.writing) < MOST_WRITING:
                known = self._next(self.waiting.popleft())
                if known is not None:
                    yield known, True
            if self.crew.busy:
                for job, report in self.crew.ready(SECONDS_BETWEEN_LOOKS if self.writing else None):
                    self._write(report, job.key if report.status == "graded" else "")
            for row in self._written():
                yield row, False

    def _next(self, candidate: Candidate) -> Row | None:
        """Open one submission and hand it out; its row, where an earlier run has graded it."""
        try:
            submission = open_submission(candidate, self.options.limits)
        except Unreadable as error:
            notes = (*candidate.notes, str(error))
            self._write(error_report(candidate.student, self.seed, notes, self.options.jail, self.lang), key="")
            return None
        key = self.ledger.key(submission)
        known = None if self.options.fresh else self.ledger.find(self.folders[candidate.student], key)
        if known is None:
            options = self.options
            self.crew.take(Job(submission, key, self.seed, options.exercises, self.lang, options.jail, options.limits))
        return known

    def _write(self, report: Report, key: str) -> None:
        self.writing.add(self.writers.submit(self._finish, report, key))

    def _finish(self, report: Report, key: str) -> Row:
        """In a thread. In this order: whenever the run is killed, the ledger knows no report but whole ones."""
        folder = self.folders[report.student]
        self.ledger.strike(folder)
        remove_leftovers(self.out / folder)
        write_report(self.out / folder, report)
        if key:
            self.ledger.enter(folder, key)
        return Row.from_report(report, folder)

    def _written(self) -> Iterator[Row]:
        """What the writers have done; waits for one of them where there is nothing else to wait for."""
        patience = 0 if self.crew.busy else None
        for future in wait(self.writing, patience, return_when=FIRST_COMPLETED).done if self.writing else ():
            self.writing.discard(future)
            yield self._row(future)

    def _row(self, future: Future[Row]) -> Row:
        try:
            return future.result()
        except OSError as error:
            raise disk_trouble(error) from error

    def close(self) -> list[Row]:
        """End the graders; the rows of what was being written."""
        try:
            self.crew.close()
        finally:
            self.writers.shutdown(wait=True)
        return [future.result() for future in self.writing if future.exception() is None]


def disk_trouble(error: OSError) -> Stopped:
    """Why a run ends that cannot write: the disk is full, a folder is closed."""
    return Stopped(
        say(
            f"a report cannot be written ({error}). Make room, or open the folder, and run the same command again to go on from here.",
            f"报告无法写入（{error}）。请腾出空间或开放该文件夹，然后重新运行同一命令以继续。",
        )
    )


def unique_folders(candidates: Sequence[Candidate]) -> dict[str, str]:
    """A folder for each student's report; two ids never share one."""
    folders: dict[str, str] = {}
    taken: set[str] = set()
    for candidate in candidates:
        name = base = folder_name(candidate.student)
        count = 2
        while name in taken:
            name, count = f"{base}-{count}", count + 1
        taken.add(name)
        folders[candidate.student] = name
    return folders
