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

from autograder.inside.job import EXITED, READY, SIGNALLED
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
        self._numbers = itertools.count(1)
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
        return self._up().ready()

    def remarks(self) -> tuple[str, ...]:
        """What this jail cannot promise on this machine, in sentences for the instructor. Raises JailUnavailable."""
        missing = self.ready().missing
        return (str(UNCONFINED),) if self.jail == "none" else tuple(str(REMARKS[name]) for name in missing)

    def _up(self) -> Running:
        with self._lock:
            if self._running is None:
                raise JailUnavailable("this template is closed")
            if self._running.ended.is_set() and self._running.was_ready:
                self._running = self._start()
            return self._running

    def spawn(self, files: Mapping[str, bytes], setup: dict[str, Any]) -> Worker:
        """A confined process that serves one exercise of the submission `files` (POSIX path -> content).

        setup: plain data without arrays, handed to the worker's `main`, with "root", the submission's folder, added.
        Raises JailUnavailable where the jail cannot be had or made to hold, ValueError for files that cannot lie in one folder.
        """
        check_paths(files)
        request = msgpack.packb([[[os.fsencode(path), content] for path, content in files.items()], setup])
        for last_try in (False, True):
            running = self._up()
            running.ready()
            try:
                return Worker(running, next(self._numbers), request, self.limits.output_kept)
            except BrokenPipeError as error:
                if last_try:
                    raise JailUnavailable(f"the {self.jail} jail ended twice while a process was started in it") from error
        raise AssertionError

    def close(self) -> None:
        """End everything; a second time does nothing."""
        with self._lock:
            running, self._running = self._running, None
        if running is not None:
            running.close()


class Worker:
    """One jailed process. `connection` is the outer end of a stream socket to it; the caller reads and writes frames.

    `fileno_of_death()` becomes readable when the process has ended, by itself or not, even where a child of its own still
    holds the connection: select on both.
    """

    def __init__(self, running: Running, number: int, request: bytes, output_kept: int):
        self._running = running
        self._ending: Ending | None = None
        self._lock = threading.Lock()
        self.connection, inside = socket.socketpair()
        stdout, stdout_inside = os.pipe()
        stderr, stderr_inside = os.pipe()
        self._life, life_inside = os.pipe()
        self._said = b""
        memory = os.memfd_create("request")
        self._job = JobOutside(number, Drain(stdout, output_kept), Drain(stderr, output_kept))
        try:
            with open(memory, "wb", closefd=False) as file:
                file.write(request)
            running.spawn(self._job, [inside.fileno(), stdout_inside, stderr_inside, life_inside, memory])
        except BaseException:
            self._abandon()
            raise
        finally:
            inside.close()
            for descriptor in (stdout_inside, stderr_inside, life_inside, memory):
                os.close(descriptor)
        self._wait_until_confined()

    def _abandon(self) -> None:
        self.connection.close()
        os.close(self._life)
        if not self._running.holds(self._job):
            for drain in self._job.drains:
                drain.close()

    def _wait_until_confined(self) -> None:
        """The first line of the job's pipe: it runs, or why not."""
        while b"\n" not in self._said:
            if not select.select([self._life], [], [], SPAWN_SECONDS)[0]:
                break
            if not (chunk := os.read(self._life, 4096)):
                break
            self._said += chunk
        first, _, self._said = self._said.partition(b"\n")
        if first.split(b" ")[0] == READY:
            return
        died = self._running.ended.wait(0.5 if not first else 0)
        self.close()
        if died:
            raise BrokenPipeError("the template has ended")
        told = first.partition(b" ")[2].decode("utf-8", "replace") or "it ended before it was confined"
        raise JailUnavailable(f"a process could not be confined in the {self._running.kind} jail: {told}")

    def fileno_of_death(self) -> int:
        """A descriptor that is readable once the process has ended; -1 after `close`."""
        return self._life

    def close(self) -> Ending:
        """Kill the process and all that it started, and wait until nothing of it is left; a second time only tells again."""
        with self._lock:
            if self._ending is None:
                self._running.stop(self._job)
                self.connection.close()
                self._ending = self._read_ending()
            return self._ending

    def _read_ending(self) -> Ending:
        # To its end, which comes when the keeper is gone: where the template was killed the keepers take a moment longer.
        while select.select([self._life], [], [], END_SECONDS)[0] and (chunk := os.read(self._life, 4096)):
            self._said += chunk
        os.close(self._life)
        self._life = -1
        stdout, stderr = (bytes(drain.kept) for drain in self._job.drains)
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
