"""What runs in a grader process: a `Grader` made once, and one job after the other. The batch submits the jobs."""

from __future__ import annotations

import atexit
import ctypes
import gc
import multiprocessing
import os
import signal
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from autograder.grading.grader import Grader
from autograder.limits import Limits
from autograder.reports.model import Report
from autograder.submissions import Submission

PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Job:
    """One submission to grade, and how. `key` is the ledger's."""

    submission: Submission
    key: str
    seed: int
    exercises: tuple[str, ...]
    lang: str | None
    jail: str
    limits: Limits


_grader: Grader | None = None
_made_for: tuple[str, Limits] | None = None
_lock = threading.Lock()  # an executor may run jobs in threads; pytest's session is one


def grade_job(job: Job) -> Report:
    """Grade one submission with this process's grader."""
    global _grader, _made_for
    with _lock:
        if _grader is None or _made_for != (job.jail, job.limits):
            _close()
            _grader, _made_for = Grader(job.jail, job.limits), (job.jail, job.limits)
            gc.collect()
            gc.freeze()  # all that is there by now stays: there is no use in looking for garbage in it with every submission
        return _grader.grade(job.submission, job.seed, exercises=job.exercises, lang=job.lang)


@atexit.register
def _close() -> None:
    global _grader
    if _grader is not None:
        _grader.close()
        _grader = None


def local_pool(jobs: int) -> ProcessPoolExecutor:
    """Grader processes on this machine."""
    # A new interpreter would look for its first modules in the current folder, where a student's `socket.py` may lie.
    os.environ["PYTHONSAFEPATH"] = "1"
    return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_begin, initargs=(os.getpid(),))


def _begin(parent: int) -> None:
    """A grader process leaves Ctrl-C to the one who started it, and does not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # the batch blocks it while it starts a process
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
