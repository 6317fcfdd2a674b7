"""One running template process, with the thread that starts it, listens to it and drains what its jobs print.

The thread lives as long as the process: the kernel ends a process that asked to die with its parent when the very
thread that started it ends, and callers may be short-lived threads of a pool.
"""

from __future__ import annotations

import json
import os
import selectors
import socket
import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from autograder.inside.links import wipe
from autograder.inside.setting import Ready, to_json
from autograder.inside.template import GONE, KILL, MESSAGE, MOST_BYTES, SPAWN
from autograder.jail import launch
from autograder.jail.errors import JailUnavailable
from autograder.limits import KIB, Limits

START_SECONDS, END_SECONDS = 60.0, 20.0
CHUNK = 64 * KIB


class Drain:
    """Keeps the first bytes that come out of a pipe and drops the rest. The thread reads it, and whoever closes it."""

    def __init__(self, pipe: int, most: int):
        os.set_blocking(pipe, False)
        self.pipe, self.most, self.kept = pipe, most, bytearray()
        self.lock = threading.Lock()

    def read(self) -> bool:
        """Take in one chunk; False where there is none now or ever."""
        with self.lock:
            if self.pipe < 0:
                return False
            try:
                chunk = os.read(self.pipe, CHUNK)
            except OSError:
                return False
            self.kept += chunk[: max(0, self.most - len(self.kept))]
            return bool(chunk)

    def close(self) -> None:
        """Take in what is still there, and close the pipe."""
        while self.read():
            pass
        with self.lock:
            if self.pipe >= 0:
                os.close(self.pipe)
                self.pipe = -1  # its number may be another file's from here on


def sweep(folder: str) -> None:
    """Remove the folder of a template that could not do so itself; its jobs may be ending still."""
    for _ in range(100):
        try:
            return wipe(folder)
        except OSError:
            time.sleep(0.02)


class JobOutside:
    """What the thread knows of one submission's keeper: whether everything of it is gone."""

    def __init__(self, number: int):
        self.number, self.gone = number, threading.Event()


class Running:
    """A template process. Every public method may be called from any thread."""

    def __init__(self, kind: str, limits: Limits, worker: Path | None, preload: Sequence[str]):
        self.kind, self.limits, self.worker, self.preload = kind, limits, worker, preload
        self.ended = threading.Event()
        self._answered = threading.Event()
        self._ready: Ready | None = None
        self._error = ""
        self._listening = True
        self._process: subprocess.Popen[bytes] | None = None
        self._jobs: dict[int, JobOutside] = {}
        self._lock = threading.Lock()  # over the jobs, and over whether there can be new ones
        self._control, self._control_inside = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._selector = selectors.EpollSelector()  # others may register while it waits
        self._thread = threading.Thread(target=self._run, name=f"jail-{kind}", daemon=True)
        self._thread.start()

    @property
    def was_ready(self) -> bool:
        """Whether it ever came up; one that never did is not started again."""
        return self._ready is not None and not self._ready.error

    def ready(self) -> Ready:
        """What the template says of itself, once it is up. Raises JailUnavailable where it could not start."""
        if not self._answered.wait(START_SECONDS):
            self.kill()
            raise JailUnavailable(f"the {self.kind} jail did not start within {START_SECONDS:.0f} s")
        if self._ready is None or self._ready.error:
            self.ended.wait(END_SECONDS)
            raise JailUnavailable(f"the {self.kind} jail does not start: {self._reason()}")
        return self._ready

    def _reason(self) -> str:
        told = self._ready.error if self._ready is not None else self._error
        return told.strip().splitlines()[-1] if told.strip() else "its process ended without a word"

    def spawn(self, job: JobOutside, descriptors: list[int]) -> None:
        """Ask for a keeper. BrokenPipeError where the template has ended."""
        with self._lock:
            if self.ended.is_set():
                raise BrokenPipeError("the template has ended")
            self._jobs[job.number] = job
        try:
            socket.send_fds(self._control, [MESSAGE.pack(SPAWN, job.number)], descriptors)
        except OSError as error:
            self.kill()
            raise BrokenPipeError("the template has ended") from error

    def drain(self, drain: Drain) -> None:
        """From now on the thread keeps a pipe empty, so that nobody who prints has to wait."""
        with self._lock:
            if not self.ended.is_set():
                self._selector.register(drain.pipe, selectors.EVENT_READ, lambda: self._drain(drain))

    def finish(self, drain: Drain) -> bytes:
        """What came out of a pipe whose writers are all gone; it is closed."""
        with self._lock:
            self._forget(drain)
        drain.close()
        return bytes(drain.kept)

    def stop(self, job: JobOutside) -> None:
        """Kill a keeper with all that it started, and wait until nothing of it is left."""
        if not job.gone.is_set():
            try:
                self._control.send(MESSAGE.pack(KILL, job.number))
            except OSError:  # the template has ended, and its jobs with it
                pass
        if not job.gone.wait(END_SECONDS):
            self.kill()
            job.gone.wait()

    def close(self) -> None:
        """End the process and its jobs."""
        try:
            self._control.shutdown(socket.SHUT_RDWR)
        except OSError:  # it has ended by itself
            pass
        if not self.ended.wait(END_SECONDS):
            self.kill()
        self._thread.join(END_SECONDS)

    def kill(self) -> None:
        """End the process at once."""
        if self._process is not None:
            self._process.kill()

    # What follows runs in the thread.

    def _run(self) -> None:
        try:
            self._start()
            self._listen()
        except JailUnavailable as error:
            self._error = str(error)
        except Exception as error:
            self._error = f"{type(error).__name__}: {error}"
        finally:
            self._finish()

    def _start(self) -> None:
        errors, errors_inside = os.pipe()
        self._errors = Drain(errors, CHUNK)
        try:
            inside = self._control_inside.fileno()
            self._process = subprocess.Popen(
                launch.command(self.kind, self.worker, inside),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors_inside,
                env=launch.environment() if self.kind != "bubblewrap" else {},
                cwd="/",
                start_new_session=True,
                pass_fds=(inside,),
            )
        finally:
            os.close(errors_inside)
            self._control_inside.close()
        told = to_json(launch.setting(self.kind, self.limits, self.worker, self.preload, self._process.pid))
        assert len(told) < MOST_BYTES
        try:
            self._control.send(told)
        except OSError:  # it has ended; what it wrote on stderr says why
            pass

    def _listen(self) -> None:
        self._selector.register(self._control, selectors.EVENT_READ, self._hear)
        self._selector.register(self._errors.pipe, selectors.EVENT_READ, lambda: self._drain(self._errors))
        while self._listening:
            for key, _ in self._selector.select():
                key.data()

    def _hear(self) -> None:
        try:
            data = self._control.recv(MOST_BYTES)
        except OSError:
            data = b""
        if not data:
            self._listening = False
        elif self._ready is None:
            self._ready = Ready(**json.loads(data))
            self._answered.set()
        else:
            kind, number = MESSAGE.unpack(data)
            if kind == GONE and (job := self._jobs.pop(number, None)) is not None:
                job.gone.set()

    def _drain(self, drain: Drain) -> None:
        if not drain.read():
            with self._lock:
                self._forget(drain)

    def _forget(self, drain: Drain) -> None:
        if not self.ended.is_set() and drain.pipe >= 0 and drain.pipe in self._selector.get_map():
            self._selector.unregister(drain.pipe)

    def _finish(self) -> None:
        """The template has ended, or is to: wait for it, then nothing of its jobs is left."""
        self._control.close()
        if self._process is not None:
            try:
                self._process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self.finish(self._errors)
            self._error = self._error or self._errors.kept.decode("utf-8", "replace")
        if self._ready is not None and self._ready.folder:
            sweep(self._ready.folder)
        with self._lock:
            self.ended.set()
            for job in self._jobs.values():
                job.gone.set()
            self._jobs.clear()
            self._selector.close()
        self._answered.set()
