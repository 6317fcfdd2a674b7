"""The keeper of one job: forks the jailed process, watches what it and its children use, and sees them all dead.

Where there are process namespaces it is the first process of one, and its end is the end of all others in it; else it
adopts what its descendants leave behind and kills until nothing is left. It runs trusted code only.
"""

from __future__ import annotations

import os
import signal
import time

from . import confine, kernel
from .family import descendants, memory_of
from .job import EXITED, FAILED, SIGNALLED, Job, tell
from .links import size_of

SECONDS_BETWEEN_LOOKS = 0.1
WOKEN_BY = (signal.SIGCHLD, signal.SIGTERM)


def run(job: Job) -> None:
    """The keeper's whole life; never returns."""
    try:
        _run(job)
    except BaseException as error:
        tell(job.descriptors.life, FAILED, f"its keeper failed: {type(error).__name__}: {error}")
    finally:
        os._exit(0)


def _run(job: Job) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, WOKEN_BY)
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL if job.namespaces else signal.SIGTERM)
    if not job.namespaces:
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    child = os.fork()
    if child == 0:
        confine.run(job)
    own = job.descriptors
    for descriptor in (own.connection, own.stdout, own.stderr, own.request):
        os.close(descriptor)
    try:
        _watch(job, child)
    finally:
        if not job.namespaces:
            _kill_all(job, child)


def _watch(job: Job, child: int) -> None:
    """Until the jailed process ends, or uses too much, or the template says stop."""
    me = int(os.readlink("self", dir_fd=job.proc))
    looked = time.monotonic()
    while True:
        woken = signal.sigtimedwait(WOKEN_BY, SECONDS_BETWEEN_LOOKS)
        if woken is not None and woken.si_signo == signal.SIGTERM:
            return
        ended = _reap(child)
        if ended is not None:
            tell(job.descriptors.life, EXITED if os.WIFEXITED(ended) else SIGNALLED, str(_code(ended)))
            return
        if woken is None or time.monotonic() - looked > SECONDS_BETWEEN_LOOKS:  # children that end all the time must not put it off
            if reason := _too_much(job, me):
                tell(job.descriptors.life, SIGNALLED, f"{int(signal.SIGKILL)} {reason}")
                return
            looked = time.monotonic()


def _code(status: int) -> int:
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else os.WTERMSIG(status)


def _reap(child: int) -> int | None:
    """Take in whoever has ended; the jailed process's status where it is among them."""
    found = None
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found
        if pid == 0:
            return found
        if pid == child:
            found = status


def _too_much(job: Job, me: int) -> str:
    """What the whole family uses too much of; each process alone is bounded by its own limits."""
    family = descendants(job.proc, me)
    if len(family) > 1 and sum(max(0, memory_of(job.proc, pid) - job.base_memory) for pid in family) > job.setting.memory:
        return f"all its processes together used more than {job.setting.memory >> 20} MiB of memory"
    if not job.namespaces and size_of(job.places.scratch) > job.setting.scratch:
        return f"it wrote more than {job.setting.scratch >> 20} MiB"
    return ""


def _kill_all(job: Job, group: int) -> None:
    """Without a process namespace: the group first, which the filter lets nobody leave, then whoever is left or adopted."""
    me = os.getpid()
    for _ in range(10_000):
        _kill(-group)
        for pid in descendants(job.proc, me):
            _kill(pid)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.001)


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:  # gone already
        pass
