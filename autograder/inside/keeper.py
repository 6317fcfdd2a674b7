"""The keeper of one submission: forks a jailed process for each exercise, watches what it and its children use, and sees them dead.

Where there are process namespaces it is the first process of one, and its end is the end of all others in it; else it
adopts what its descendants leave behind and kills until nothing is left. It runs trusted code only, and no student code of
one exercise lives when the next one starts. Where something of the former one is left in the scratch folder, or could be,
the keeper ends, and the next exercise gets another keeper, with new folders.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import time

from . import confine, kernel
from .family import descendants, memory_of
from .job import CLEARED, EXITED, FAILED, SIGNALLED, START, Descriptors, Job, tell
from .links import size_of

SECONDS_BETWEEN_LOOKS = 0.1
WOKEN_BY = (signal.SIGCHLD, signal.SIGTERM)


def run(job: Job) -> None:
    """The keeper's whole life; never returns."""
    try:
        Keeper(job).serve()
    except BaseException as error:
        tell(job.orders, FAILED, f"its keeper failed: {type(error).__name__}: {error}")
    finally:
        os._exit(0)


class Keeper:
    """Serves the grader's orders, one process at a time, until it closes the channel."""

    def __init__(self, job: Job):
        self.job = job
        self.orders = socket.socket(fileno=job.orders)
        self.wake, wake_end = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake_end, warn_on_full_buffer=False)
        for number in WOKEN_BY:
            signal.signal(number, lambda *_: None)
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL if job.namespaces else signal.SIGTERM)
        if not job.namespaces:
            kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
        self.me = int(os.readlink("self", dir_fd=job.proc))
        self.poll = select.poll()
        self.poll.register(self.orders, select.POLLIN)
        self.poll.register(self.wake, select.POLLIN)
        self.prepared = confine.prepare(job)

    def serve(self) -> None:
        """Until the grader closes the channel, the template says stop, or a process left something behind."""
        while self._wait(None):
            order, descriptors, _, _ = socket.recv_fds(self.orders, 64, 8, socket.MSG_CMSG_CLOEXEC)
            if not order:
                return
            if order == START and not self._exercise(Descriptors(*descriptors)):  # an order to stop comes late, where it had ended
                return

    def _wait(self, seconds: float | None) -> bool:
        """Until there is an order, and with a time until a child has ended or it is over; False where the template says stop."""
        while True:
            ready = {descriptor for descriptor, _ in self.poll.poll(None if seconds is None else 1000 * seconds)}
            if self.wake in ready and signal.SIGTERM in os.read(self.wake, 4096):
                return False
            if seconds is not None or self.orders.fileno() in ready:
                return True

    def _exercise(self, own: Descriptors) -> bool:
        """Run one process. Whether nothing at all is left of it, so that another one can start here."""
        child = kernel.fork_with(0)  # without what Python does in a fork, for threads that there are none of
        if child == 0:
            confine.run(self.job, self.prepared, own)
        for descriptor in (own.connection, own.stdout, own.stderr):
            os.close(descriptor)
        try:
            self._watch(child, own.life)
        finally:
            if self.job.namespaces:
                _kill_everybody_else()
            else:
                _kill_all(self.job, child)
        if not self.job.namespaces or not confine.is_untouched(self.job, self.prepared):
            return False
        tell(own.life, CLEARED)
        os.close(own.life)
        return True

    def _watch(self, child: int, life: int) -> None:
        """Until the jailed process ends, or uses too much, or the grader or the template says stop."""
        looked = time.monotonic()
        while self._wait(SECONDS_BETWEEN_LOOKS):
            ended = _reap(child)
            if ended is not None:
                tell(life, EXITED if os.WIFEXITED(ended) else SIGNALLED, str(_code(ended)))
                return
            if self._is_ordered():
                return
            if time.monotonic() - looked >= SECONDS_BETWEEN_LOOKS:  # children that end all the time must not put it off
                if reason := _too_much(self.job, self.me):
                    tell(life, SIGNALLED, f"{int(signal.SIGKILL)} {reason}")
                    return
                looked = time.monotonic()

    def _is_ordered(self) -> bool:
        """Whether there is an order, which can only be to stop, or nobody is left to give one."""
        try:
            self.orders.recv(64, socket.MSG_DONTWAIT)
            return True
        except BlockingIOError:
            return False


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


def _kill_everybody_else() -> None:
    """As the first process of a process namespace: kill all others in it, and wait until none is left."""
    _kill(-1)  # the kernel lets nobody fork any more who is to be killed
    try:
        while True:
            os.waitpid(-1, 0)
    except ChildProcessError:
        return


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
