"""Grades a class: a map over submissions with a standard executor, each report written when it is ready.

Called by the command line. A run can be interrupted and started again: what is graded already is found in the ledger.
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from autograder.course import MAX_SCORE
from autograder.language import language, say, speaking
from autograder.ledger import Ledger
from autograder.limits import Limits
from autograder.pool import Job, grade_job, local_pool
from autograder.reports.atomic import write_atomically
from autograder.reports.files import write_report
from autograder.reports.grades import write_grades
from autograder.reports.model import Report
from autograder.reports.rows import Row
from autograder.reports.summary import write_summary
from autograder.submissions import Candidate, Unreadable, folder_name, open_submission

STATE = ".autograder"  # in the output folder: the seed and the ledger, which students never see


@dataclass(frozen=True)
class Options:
    """What the command line chose. jail: the one to use, not "auto"."""

    jail: str
    limits: Limits
    exercises: tuple[str, ...] = ()
    seed: int | None = None
    fresh: bool = False
    lang: str | None = None
    executor: Callable[[], Executor] | None = None  # another executor than processes here


@dataclass(frozen=True)
class Progress:
    """One submission is done. `skipped`: an earlier run had graded it."""

    done: int
    total: int
    row: Row
    skipped: bool


def grade_class(candidates: Sequence[Candidate], out: Path, options: Options) -> Iterator[Progress]:
    """Grade these submissions into the folder `out`, in the order in which they get ready.

    grades.csv and summary.html are written at the end, also when the caller stops early.
    """
    out.mkdir(parents=True, exist_ok=True)
    seed = options.seed if options.seed is not None else kept_seed(out)
    ledger = Ledger(out, seed, options)
    rows: list[Row] = []
    try:
        with speaking(options.lang):
            for row, skipped in _graded(candidates, out, seed, ledger, options):
                rows.append(row)
                yield Progress(len(rows), len(candidates), row, skipped)
    finally:
        write_grades(out / "grades.csv", rows)
        write_summary(out / "summary.html", rows, language=options.lang or language())


def kept_seed(out: Path) -> int:
    """The seed of this output folder: drawn at random at its first run, and kept there."""
    path = out / STATE / "seed"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, f"{secrets.randbelow(2**31)}\n")
    text = path.read_text("ascii").strip()
    if not text.isdigit():
        raise ValueError(f"{path} must hold a whole number; delete it to have a new seed drawn")
    return int(text)


def _graded(candidates: Sequence[Candidate], out: Path, seed: int, ledger: Ledger, options: Options) -> Iterator[tuple[Row, bool]]:
    """The rows, those of earlier runs included; opens a few submissions ahead of the graders and no more."""
    waiting, folders = deque(candidates), unique_folders(candidates)
    ahead = 2 * options.limits.jobs

    def finish(report: Report, key: str) -> Row:
        folder = folders[report.student]
        write_report(out / folder, report)
        ledger.enter(folder, key)
        return Row.from_report(report, folder)

    crew = _Crew(options)
    try:
        while waiting or crew.busy:
            while waiting and crew.busy < ahead:
                candidate = waiting.popleft()
                try:
                    submission = open_submission(candidate, options.limits)
                except Unreadable as error:
                    yield finish(error_report(candidate.student, seed, (*candidate.notes, str(error)), options), key=""), False
                    continue
                key, folder = ledger.key(submission), folders[candidate.student]
                known = None if options.fresh else ledger.find(folder, key)
                if known is not None:
                    yield known, True
                    continue
                crew.take(Job(submission, key, seed, options.exercises, options.lang, options.jail, options.limits))
            for job, report in crew.ready():
                yield finish(report, key=job.key if report.status == "graded" else ""), False
    finally:
        crew.close()


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


def error_report(student: str, seed: int, notes: tuple[str, ...], options: Options) -> Report:
    """The report of a submission that could not be graded: never a silent 0."""
    with speaking(options.lang):
        return Report(student=student, status="error", seed=seed, max_score=MAX_SCORE, notes=notes, jail=options.jail, language=language())


class _Crew:
    """The graders of one run. A grader process that dies takes no more than the submission it was at."""

    def __init__(self, options: Options):
        self.options = options
        self.pool: Executor | None = None
        self.jobs: dict[Future[Report], Job] = {}
        self.suspects: deque[Job] = deque()

    @property
    def busy(self) -> int:
        """How many submissions are handed out and not yet back."""
        return len(self.jobs) + len(self.suspects)

    def take(self, job: Job) -> None:
        """Hand out one submission."""
        if self.pool is None:
            self.pool = self.options.executor() if self.options.executor else local_pool(self.options.limits.jobs)
        try:
            self.jobs[self.pool.submit(grade_job, job)] = job
        except BrokenProcessPool:
            self.suspects.append(job)
            self._suspect_all()

    def ready(self) -> Iterator[tuple[Job, Report]]:
        """Wait until something is done, and give all that is."""
        if self.jobs:
            for future in wait(self.jobs, return_when=FIRST_COMPLETED).done:
                job = self.jobs.pop(future, None)
                if job is None:
                    continue
                try:
                    yield job, future.result()
                except (BrokenProcessPool, CancelledError):
                    self.suspects.append(job)
                    self._suspect_all()
                except Exception as error:  # a fault of the kit's own: this submission's row says so, the others go on
                    yield job, self._fault(job, f"{type(error).__name__}: {error}")
        while self.suspects and not self.jobs:
            job = self.suspects.popleft()
            yield job, self._alone(job)

    def _suspect_all(self) -> None:
        self.suspects.extend(self.jobs.values())
        self.jobs.clear()
        self._drop_pool()

    def _alone(self, job: Job) -> Report:
        """Grade a submission by itself that was under way when a grader process died."""
        with local_pool(1) as pool:
            try:
                return pool.submit(grade_job, job).result()
            except BrokenProcessPool:
                return self._fault(job, say("the grader process ended", "评分进程终止了"))
            except Exception as error:
                return self._fault(job, f"{type(error).__name__}: {error}")

    def _fault(self, job: Job, what: str) -> Report:
        note = say(
            f"The grader failed on this submission ({what}). This is the kit's fault, not the student's: grade it again, and report it.",
            f"评分程序在这份提交上出错（{what}）。这是评分工具的问题，不是学生的：请重新评分并报告。",
        )
        return error_report(job.submission.student, job.seed, (*job.submission.notes, note), self.options)

    def _drop_pool(self) -> None:
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)
            self.pool = None

    def close(self) -> None:
        """Let the graders go; what is under way is finished and thrown away."""
        if self.pool is not None:
            self.pool.shutdown(wait=True, cancel_futures=True)
            self.pool = None
