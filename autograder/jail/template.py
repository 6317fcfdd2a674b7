"""The grader's side of a jail: a `Template` that starts jailed processes, and the `Worker` that stands for one of them."""

from __future__ import annotations

import itertools
import os
import select
import socket
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Any

import msgpack

from autograder.inside.job import CLEARED, EXITED, READY, SIGNALLED, START, STOP
from autograder.inside.setting import Ready
from autograder.jail.errors import JailUnavailable
from autograder.jail.launch import KINDS, PRELOAD
from autograder.jail.remarks import NEEDS_LINUX, REMARKS, UNCONFINED
from autograder.jail.running import Drain, JobOutside, Running
from autograder.limits import Limits

SPAWN_SECONDS, END_SECONDS = 60.0, 10.0
LONGEST_NAME, LONGEST_PATH = 255, 4000
KILLED = 9


@dataclass(frozen=True)
class Ending:
    """How a jailed process ended, and the first of what it printed.

    exit_code where it ended by itself, else the signal that ended it. reason: what it used too much of, where that was why.
    """

    exit_code: int | None
    signal: int | None
    stdout: bytes
    stderr: bytes
    reason: str = ""


class Template:
    """Starts jailed processes of one kind; one for each grader process, usable from all of its threads.

    kind: one of KINDS, as `choose` gives it. worker: another file than the kit's own worker, with a `main(connection, setup)`.
    The process behind it is started at once and again where it died; errors show at the first `spawn`.
    """

    def __init__(self, kind: str, limits: Limits, *, worker: Path | None = None, preload: Sequence[str] = PRELOAD):
        if kind not in KINDS:
            raise JailUnavailable(f"there is no jail {kind!r}; there are: {', '.join(KINDS)}")
        if sys.platform != "linux":
            raise JailUnavailable(NEEDS_LINUX.format(platform=sys.platform))
        self.jail = kind
        self.limits = limits
        self._worker, self._preload = worker.resolve() if worker is not None else None, tuple(preload)
        self.numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._running: Running | None = self._start()

    def __enter__(self) -> Template:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _start(self) -> Running:
        return Running(self.jail, self.limits, self._worker, self._preload)

    def ready(self) -> Ready:
        """What the jail offers here, once it is up. Raises JailUnavailable."""
        return self.running().ready()

    def remarks(self) -> tuple[str, ...]:
        """What this jail cannot promise on this machine, in sentences for the instructor. Raises JailUnavailable."""
        missing = self.ready().missing
        return (str(UNCONFINED),) if self.jail == "none" else tuple(str(REMARKS[name]) for name in missing)

    def running(self) -> Running:
        """The process behind it, started again where it died. Raises JailUnavailable after `close`."""
        with self._lock:
            if self._running is None:
                raise JailUnavailable("this template is closed")
            if self._running.ended.is_set() and self._running.was_ready:
                self._running = self._start()
            return self._running

    def open(self, files: Mapping[str, bytes]) -> Session:
        """A place to run the submission `files` in (POSIX path -> content). ValueError for files that cannot lie in one folder."""
        check_paths(files)
        return Session(self, msgpack.packb([[os.fsencode(path), content] for path, content in files.items()]))

    def spawn(self, files: Mapping[str, bytes], setup: dict[str, Any]) -> Worker:
        """A process in a session of its own, which ends with it."""
        return self.open(files).spawn(setup, last=True)

    def close(self) -> None:
        """End everything; a second time does nothing."""
        with self._lock:
            running, self._running = self._running, None
        if running is not None:
            running.close()


class Session:
    """One submission in the jail: its files, and one process after the other that runs them, none of which finds a trace of another.

    Close it, or use it in a `with`. It is for one thread.
    """

    def __init__(self, template: Template, files: bytes):
        self._template, self._files = template, files
        self._keeper: Keeper | None = None

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def spawn(self, setup: dict[str, Any], *, last: bool = False) -> Worker:
        """A confined process; the one before it must be closed. last: close the session with it.

        setup: plain data without arrays, handed to the worker's `main`, with "root", the submission's folder, added.
        Raises JailUnavailable where the jail cannot be had or made to hold.
        """
        request = msgpack.packb(setup)
        for last_try in (False, True):
            if self._keeper is not None and not self._keeper.serves:
                self.close()
            try:
                if self._keeper is None:
                    running = self._template.running()
                    running.ready()
                    self._keeper = Keeper(running, next(self._template.numbers), self._files)
                return Worker(self._keeper, request, self._template.limits.output_kept, last)
            except BrokenPipeError as error:
                self.close()
                if last_try:
                    raise JailUnavailable(f"the {self._template.jail} jail ended twice while a process was started in it") from error
        raise AssertionError

    def close(self) -> None:
        """End everything that the submission started, and wait until nothing of it is left."""
        keeper, self._keeper = self._keeper, None
        if keeper is not None:
            keeper.close()


class Keeper:
    """The grader's end of one keeper process. serves: it can start a process, for all that is known here."""

    def __init__(self, running: Running, number: int, files: bytes):
        self.running, self.job = running, JobOutside(number)
        self.serves = True
        self.orders, orders_inside = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        memory = os.memfd_create("files")
        try:
            with open(memory, "wb", closefd=False) as file:
                file.write(files)
            running.spawn(self.job, [orders_inside.fileno(), memory])
        except BaseException:
            self.orders.close()
            raise
        finally:
            orders_inside.close()
            os.close(memory)

    def start(self, descriptors: list[int]) -> None:
        """Order a process with these descriptors. BrokenPipeError where the keeper has ended."""
        try:
            socket.send_fds(self.orders, [START], descriptors)
        except OSError as error:
            raise BrokenPipeError("the keeper has ended") from error

    def stop(self) -> None:
        """Order the process to end."""
        try:
            self.orders.send(STOP)
        except OSError:  # the keeper has ended, and it with it
            pass

    def last_words(self) -> str:
        """Why the keeper could not go on, as far as it said so."""
        try:
            words = self.orders.recv(4096, socket.MSG_DONTWAIT)
        except OSError:
            return ""
        return words.partition(b" ")[2].decode("utf-8", "replace").strip()

    def close(self) -> None:
        """End the keeper with all that it started, and wait until nothing of it is left."""
        self.serves = False
        self.running.stop(self.job)
        self.orders.close()


class Worker:
    """One jailed process. `connection` is the outer end of a stream socket to it; the caller reads and writes frames.

    `fileno_of_death()` becomes readable when the process has ended, by itself or not, even where a child of its own still
    holds the connection: select on both.
    """

    def __init__(self, keeper: Keeper, setup: bytes, output_kept: int, last: bool):
        self._keeper, self._last = keeper, last
        self._ending: Ending | None = None
        self._lock = threading.Lock()
        self._said = b""
        self.connection, inside = socket.socketpair()
        stdout, stdout_inside = os.pipe()
        stderr, stderr_inside = os.pipe()
        self._life, life_inside = os.pipe()
        self._drains = Drain(stdout, output_kept), Drain(stderr, output_kept)
        try:
            keeper.start([inside.fileno(), stdout_inside, stderr_inside, life_inside])
        except BaseException:
            self.connection.close()
            for descriptor in (self._life, stdout, stderr):
                os.close(descriptor)
            raise
        finally:
            inside.close()
            for descriptor in (stdout_inside, stderr_inside, life_inside):
                os.close(descriptor)
        for drain in self._drains:
            keeper.running.drain(drain)
        try:
            self.connection.sendall(len(setup).to_bytes(4, "big") + setup)
        except OSError:  # it has ended; why is told below
            pass
        self._wait_until_confined()

    def _wait_until_confined(self) -> None:
        """The first line of the process's pipe: it runs, or why not."""
        while b"\n" not in self._said and self._hear(SPAWN_SECONDS):
            pass
        first, _, self._said = self._said.partition(b"\n")
        if first.split(b" ")[0] == READY:
            return
        told = first.partition(b" ")[2].decode("utf-8", "replace") or self._keeper.last_words()
        running = self._keeper.running
        died = not told and running.ended.wait(0.5)
        self.close()
        self._keeper.close()
        if died:
            raise BrokenPipeError("the template has ended")
        raise JailUnavailable(f"a process could not be confined in the {running.kind} jail: {told or 'it ended before it was confined'}")

    def _hear(self, seconds: float) -> bool:
        """Whether something more came up the process's pipe in time."""
        poll = select.poll()
        poll.register(self._life, select.POLLIN)
        if not poll.poll(1000 * seconds):
            return False
        chunk = os.read(self._life, 4096)
        self._said += chunk
        return bool(chunk)

    def fileno_of_death(self) -> int:
        """A descriptor that is readable once the process has ended; -1 after `close`."""
        return self._life

    def close(self) -> Ending:
        """Kill the process and all that it started, and wait until nothing of it is left; a second time only tells again."""
        with self._lock:
            if self._ending is None:
                self._end()
                self.connection.close()
                self._ending = self._read_ending()
            return self._ending

    def _end(self) -> None:
        if self._last:
            self._keeper.close()
        else:
            self._keeper.stop()
        # To its end, which comes when all is gone, or the keeper is; where the template was killed that takes a moment longer.
        while self._hear(END_SECONDS):
            pass
        if not self._said.endswith(CLEARED + b" \n"):
            self._keeper.close()

    def _read_ending(self) -> Ending:
        os.close(self._life)
        self._life = -1
        stdout, stderr = map(self._keeper.running.finish, self._drains)
        word, _, rest = self._said.partition(b"\n")[0].partition(b" ")
        code, _, reason = rest.decode("utf-8", "replace").partition(" ")
        if word in (EXITED, SIGNALLED) and code.isdigit():
            exit_code, signal = (int(code), None) if word == EXITED else (None, int(code))
            return Ending(exit_code, signal, stdout, stderr, reason)
        return Ending(None, KILLED, stdout, stderr)


def check_paths(files: Mapping[str, bytes]) -> None:
    """Raise ValueError, with the path, unless all files can lie in one folder and nowhere else."""
    for path in files:
        parts = path.split("/")
        if any(part in ("", ".", "..") for part in parts) or "\0" in path:
            raise ValueError(f"a file of the submission would lie outside of its folder: {path!r}")
        if len(os.fsencode(path)) > LONGEST_PATH or any(len(os.fsencode(part)) > LONGEST_NAME for part in parts):
            raise ValueError(f"a file of the submission has too long a name: {path[:100]!r}...")
        for folder in map(str, PurePosixPath(path).parents):
            if folder in files:
                raise ValueError(f"two entries of the submission have one name: {folder!r} is a file and a folder")
