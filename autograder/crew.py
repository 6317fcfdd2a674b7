"""Who grades for the batch: `Crew` is what it asks for, `LocalCrew` are processes on this machine. The Dask one is in cluster.py."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from typing import Any, Protocol

from autograder.course import MAX_SCORE
from autograder.language import language, say, speaking
from autograder.pool import Job, grade_job, local_pool
from autograder.reports.files import report_files
from autograder.reports.model import Report


class Stopped(Exception):
    """A run cannot go on; the text says why and what to do. What has been graded is kept."""


def grade(job: Job) -> Report:
    """Grade one submission, and draw its files too: that takes longer than all that is left to the batch, and graders are many."""
    report = grade_job(job)
    return replace(report, drawn=report_files(report))


class Crew(Protocol):
    """Grades what it is handed. Every job that it takes comes back once, as a report."""

    @property
    def busy(self) -> int:
        """How many submissions are handed out and not yet back."""

    @property
    def has_room(self) -> bool:
        """Whether to hand out one more: enough to keep all graders busy, and no more."""

    def take(self, job: Job) -> None:
        """Hand out one submission."""

    def ready(self, seconds: float | None) -> Iterator[tuple[Job, Report]]:
        """Wait until something is done, so long at most, and give all that is. Raises Stopped."""

    def close(self) -> None:
        """Let the graders go. What is under way is ended at once, with all that it started."""


def error_report(student: str, seed: int, notes: tuple[str, ...], jail: str, lang: str) -> Report:
    """The report of a submission that could not be graded: never a silent 0."""
    with speaking(lang):
        return Report(student=student, status="error", seed=seed, max_score=MAX_SCORE, notes=notes, jail=jail, language=language())


def fault(job: Job, what: str) -> Report:
    """The report of a submission on which the grader itself failed."""
    note = say(
        f"The grader failed on this submission ({what}). This is the kit's fault, not the student's: grade it again, and report it.",
        f"评分程序在这份提交上出错（{what}）。这是评分工具的问题，不是学生的：请重新评分并报告。",
    )
    return error_report(job.submission.student, job.seed, (*job.submission.notes, note), job.jail, job.lang or language())


def submit(pool: Executor, job: Job) -> Future[Report]:
    """Hand one job to a pool, which may start a process for it. One that Ctrl-C reached before it is ready would print a traceback."""
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # it inherits this, until pool.py lets it ignore Ctrl-C
    try:
        return pool.submit(grade, job)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


class LocalCrew:
    """Grader processes here. One that dies takes no more than the submission it was at.

    make: another executor than a pool of processes.
    """

    def __init__(self, jobs: int, make: Callable[[], Executor] | None = None):
        self.jobs = jobs
        self.make: Callable[[], Executor] = make or (lambda: local_pool(jobs))
        self.pool: Executor | None = None
        self.handed: dict[Future[Report], Job] = {}
        self.suspects: deque[Job] = deque()

    @property
    def busy(self) -> int:
        return len(self.handed) + len(self.suspects)

    @property
    def has_room(self) -> bool:
        return self.busy < 2 * self.jobs

    def take(self, job: Job) -> None:
        if self.pool is None:
            self.pool = self.make()
        try:
            self.handed[submit(self.pool, job)] = job
        except BrokenProcessPool:
            self.suspects.append(job)
            self._suspect_all()

    def ready(self, seconds: float | None) -> Iterator[tuple[Job, Report]]:
        if self.handed:
            for future in wait(self.handed, seconds, return_when=FIRST_COMPLETED).done:
                job = self.handed.pop(future, None)
                if job is None:
                    continue
                try:
                    yield job, future.result()
                except (BrokenProcessPool, CancelledError):
                    self.suspects.append(job)
                    self._suspect_all()
                except Exception as error:  # a fault of the kit's own: this submission's row says so, the others go on
                    yield job, fault(job, f"{type(error).__name__}: {error}")
        while self.suspects and not self.handed:
            job = self.suspects.popleft()
            yield job, self._alone(job)

    def _suspect_all(self) -> None:
        self.suspects.extend(self.handed.values())
        self.handed.clear()
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)
            self.pool = None

    def _alone(self, job: Job) -> Report:
        """Grade a submission by itself that was under way when a grader process died."""
        self.close()
        self.pool = local_pool(1)
        future = submit(self.pool, job)
        self.handed[future] = job
        try:
            report = future.result()
        except BrokenProcessPool:
            report = fault(job, say("the grader process ended", "评分进程终止了"))
        except Exception as error:
            report = fault(job, f"{type(error).__name__}: {error}")
        del self.handed[future]
        self.close()
        return report

    def close(self) -> None:
        if self.pool is None:
            return
        if self.handed:
            # The pool would wait for them, a minute or two, and nobody wants the results. A grader that is killed takes its jail along.
            processes: dict[int, Any] = getattr(self.pool, "_processes", None) or {}  # before Python 3.14 there is no public way
            for process in list(processes.values()):
                process.kill()
        self.pool.shutdown(wait=True, cancel_futures=True)
        self.pool = None
