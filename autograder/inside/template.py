"""The template process: holds a clean interpreter with NumPy and forks a keeper of jailed processes for each submission.

Started by autograder.jail with a control channel. Only trusted code runs in it, in one thread.
Requests: "spawn" and a number, with the job's two descriptors; "kill" and a number. It answers "gone" and the number
when nothing of that job is left. When the grader closes the channel, or ends, everything here ends too.
"""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import importlib
import json
import os
import select
import signal
import socket
import struct
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator

from . import kernel, landlock, links, namespaces, seccomp
from .family import children, processes_of_user
from .job import FAILED, Job, tell
from .setting import (
    KIT,
    NO_FAMILY,
    NO_LANDLOCK,
    NO_NAMESPACES,
    NO_SECCOMP,
    NO_USER,
    PACKAGES,
    SCRATCH,
    SUBMISSION,
    Places,
    Ready,
    Setting,
    to_json,
)

OWN_PROCESSES = 3  # bubblewrap's, this one and the keeper: a user namespace counts them with the job's
SPAWN, KILL, GONE = b"s", b"k", b"g"
MESSAGE = struct.Struct("=cI")
MOST_BYTES = 1 << 16


def main(descriptor: int) -> None:
    """The template's whole life. descriptor: the inner end of the control channel."""
    control = socket.socket(fileno=descriptor)
    setting = Setting(**json.loads(control.recv(MOST_BYTES)))
    template: Template | None = None
    try:
        try:
            template = Template(setting)
            control.send(to_json(template.ready))
        except BaseException:
            control.send(to_json(Ready(0, [], "", traceback.format_exc()[-4000:])))
            raise SystemExit(1) from None
        template.serve(control)
    finally:
        if template is not None:
            template.end()


class Template:
    """Enters the jail once, imports what every job needs, then forks."""

    def __init__(self, setting: Setting):
        os.umask(0o022)
        self.setting = setting
        self.jobs: dict[int, int] = {}  # keeper's process -> job's number
        self.folder = ""
        first_uid = usable_uids(setting.uids)
        self.proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)
        own_namespaces = setting.namespaces == "make" and namespaces.enter(setting)
        self.namespaces = own_namespaces or (setting.namespaces == "given" and namespaces.job_namespaces_work())
        self.places = self._places()
        self._become_quiet()
        self._import()
        self.landlock = landlock.version() if setting.confine else 0
        self.seccomp = setting.confine and seccomp.available()
        self.first_uid = first_uid
        if setting.confine and setting.namespaces != "given" and not (self.landlock and self.seccomp):
            lacking = [name for name, there in (("Landlock", self.landlock), ("system-call filters", self.seccomp)) if not there]
            raise OSError(f"this kernel, or processor, has no {' and no '.join(lacking)}")
        closed = "" if self.first_uid is None else closed_to_others(self.places)
        self.read_all = bool(closed)
        if closed and not self._may_let_others_read():
            raise OSError(f"{closed} is closed to other users than root, and student code runs as one; use a place that all may read")
        self.ready = Ready(self.landlock, self._missing(), self.folder)
        if self.namespaces:
            namespaces.cover([KIT, "/proc"])
        if setting.confine:
            kernel.bound_capabilities(1 << kernel.CAP_DAC_READ_SEARCH if self.read_all else 0)  # here once, rather than in each job
            seccomp.program(alone=self.namespaces, landlock=self.landlock, pid=0)
        kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
        pages = self._read("self/statm").split()
        self.address_space, self.base_memory = (int(pages[i]) * os.sysconf("SC_PAGE_SIZE") for i in (0, 1))
        self.confine.leave_an_interpreter(self.setting.worker, self.places.kit)
        gc.disable()
        gc.freeze()

    def _places(self) -> Places:
        setting = self.setting
        if self.namespaces:
            hidden = (KIT, "/dev/", "/proc")
            visible = [target for _, target in setting.binds if not target.startswith(hidden)]
            return Places(SUBMISSION, SCRATCH, PACKAGES, KIT, setting.stdlib, [*visible, PACKAGES])
        if setting.namespaces == "given":
            raise OSError("bubblewrap started, but its process may not make process namespaces")
        self.folder = tempfile.mkdtemp(prefix="autograder-", dir=setting.temporary)
        os.chmod(self.folder, 0o711)
        return links.lay(setting, self.folder)

    def _become_quiet(self) -> None:
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGTSTP):
            signal.signal(number, signal.SIG_IGN)
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
        # With namespaces a sudden end takes everything along; without, there is killing and sweeping to do first.
        self.wake, wake_end = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake_end, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGTERM, lambda *_: None)
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL if self.namespaces else signal.SIGTERM)
        if not self.namespaces:
            kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)

    def _import(self) -> None:
        """Everything of ours, and what makes a job start fast; with the kit's own folder on the path for that long."""
        places = self.places
        sys.path[:] = [places.kit, *places.stdlib, places.packages]
        package = sys.modules[__package__]
        package.__path__[:] = [f"{places.kit}/autograder/inside"]
        with self._place_to_write():
            for name in (*self.setting.preload, self.setting.worker):
                importlib.import_module(name)
        self.keeper, self.confine = (importlib.import_module(f"{__package__}.{name}") for name in ("keeper", "confine"))
        if "numpy" in self.setting.preload:
            importlib.import_module(f"{__package__}.warm").warm_up()
        sys.path.remove(places.kit)
        threads = self._threads()
        if threads > 1:
            raise OSError(f"NumPy started {threads - 1} threads of its own, and a process with threads cannot be forked safely")

    @contextlib.contextmanager
    def _place_to_write(self) -> Iterator[None]:
        """While packages are imported: matplotlib looks at the fonts when it begins, and wants to write down what it found.

        It keeps the name of the folder, which in each fork is that of another one.
        """
        if not self.namespaces:
            yield
            return
        kernel.tmpfs(SCRATCH)
        os.environ["MPLCONFIGDIR"] = SCRATCH
        try:
            yield
        finally:
            del os.environ["MPLCONFIGDIR"]
            kernel.unmount(SCRATCH)

    def _threads(self) -> int:
        """How many threads this process has, when those that are about to end have ended."""
        for _ in range(100):
            count = len(self._names("self/task"))
            if count == 1:
                break
            time.sleep(0.01)
        return count

    def _missing(self) -> list[str]:
        missing = []
        if self.setting.confine:
            facts = ((NO_NAMESPACES, self.namespaces), (NO_LANDLOCK, self.landlock), (NO_SECCOMP, self.seccomp))
            missing += [name for name, there in facts if not there]
            if self.first_uid is None and not self.namespaces:
                missing.append(NO_USER)
            if not self._has(f"self/task/{self._names('self/task')[0]}/children"):
                missing.append(NO_FAMILY)
        return missing

    def _may_let_others_read(self) -> bool:
        """Whether a job may keep the right to read everything: where we have it, and the filter closes its back doors."""
        capabilities = int(self._read("self/status").split(b"CapEff:")[1].split()[0], 16)
        return bool(capabilities >> kernel.CAP_DAC_READ_SEARCH & 1) and self.seccomp

    def _read(self, path: str) -> bytes:
        with open(os.open(path, os.O_RDONLY, dir_fd=self.proc), "rb") as file:
            return file.read()

    def _names(self, path: str) -> list[str]:
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY, dir_fd=self.proc)
        try:
            return os.listdir(folder)
        finally:
            os.close(folder)

    def _has(self, path: str) -> bool:
        try:
            self._read(path)
        except OSError:
            return False
        return True

    def serve(self, control: socket.socket) -> None:
        """Until the grader closes the channel."""
        poll = select.poll()
        poll.register(control, select.POLLIN)
        poll.register(self.wake, select.POLLIN)
        while True:
            ready = {descriptor for descriptor, _ in poll.poll()}
            if self.wake in ready and signal.SIGTERM in os.read(self.wake, 4096):
                return
            self._reap(control)
            if control.fileno() in ready:
                data, descriptors, _, _ = socket.recv_fds(control, MOST_BYTES, 8, socket.MSG_CMSG_CLOEXEC)
                if not data:
                    return
                kind, number = MESSAGE.unpack(data)
                if kind == SPAWN:
                    self._spawn(number, descriptors, control)
                elif kind == KILL:
                    self._kill(number)

    def _spawn(self, number: int, descriptors: list[int], control: socket.socket) -> None:
        try:
            job = self._job(number, descriptors)
            pid = kernel.fork_with(namespaces.FOR_A_JOB) if self.namespaces else os.fork()
            if pid == 0:
                try:
                    control.close()
                    self.keeper.run(job)
                finally:
                    os._exit(1)
            self.jobs[pid] = number
        except OSError as error:
            tell(descriptors[0], FAILED, str(error))
            self._gone(number, control)
        finally:
            for descriptor in descriptors:
                os.close(descriptor)

    def _job(self, number: int, descriptors: list[int]) -> Job:
        setting, places, processes = self.setting, self.places, self.setting.processes
        if not self.namespaces:
            places = self._job_places(number)
        if self.first_uid is None:
            processes += OWN_PROCESSES + setting.others if self.namespaces else processes_of_user()
        return Job(
            setting=setting,
            places=places,
            orders=descriptors[0],
            files=descriptors[1],
            namespaces=self.namespaces,
            landlock=self.landlock,
            seccomp=self.seccomp,
            uid=self._uid(number),
            read_all=self.read_all,
            processes=processes,
            address_space=self.address_space + setting.memory,
            proc=self.proc,
            base_memory=self.base_memory,
        )

    def _uid(self, number: int) -> int | None:
        """A user of the job's own, so that its processes are counted alone and can be told from others."""
        if self.first_uid is None or self.setting.uids is None:
            return None
        return self.first_uid + number % self.setting.uids[1]

    def _job_places(self, number: int) -> Places:
        """Without mounts of a job's own: two folders, which are wiped when it is gone."""
        folder = f"{self.folder}/{number}"
        os.mkdir(folder, 0o711)
        os.mkdir(f"{folder}/submission", 0o755)
        os.mkdir(f"{folder}/scratch", 0o700)
        return dataclasses.replace(self.places, submission=f"{folder}/submission", scratch=f"{folder}/scratch")

    def _reap(self, control: socket.socket) -> None:
        while self.jobs:
            try:
                pid, _ = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid in self.jobs:
                number = self.jobs.pop(pid)
                if not self.namespaces:
                    self._sweep()
                    links.wipe(f"{self.folder}/{number}")
                self._gone(number, control)

    def _gone(self, number: int, control: socket.socket) -> None:
        try:
            control.send(MESSAGE.pack(GONE, number))
        except OSError:  # the grader has ended, and we are about to
            pass

    def _sweep(self) -> None:
        """Kill what a keeper left that was itself killed, by the kernel's search for memory for instance."""
        for _ in range(10_000):
            strays = [pid for pid in children(self.proc, os.getpid()) if pid not in self.jobs]
            if not strays:
                return
            for pid in strays:
                try:
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)
                except OSError:
                    pass

    def _kill(self, number: int) -> None:
        for pid in [pid for pid, job in self.jobs.items() if job == number]:
            os.kill(pid, signal.SIGKILL if self.namespaces else signal.SIGTERM)

    def end(self) -> None:
        """Kill what still runs and leave no folder behind."""
        for pid in self.jobs:
            os.kill(pid, signal.SIGKILL if self.namespaces else signal.SIGTERM)
        for pid in self.jobs:
            os.waitpid(pid, 0)
        if self.folder:
            self.jobs.clear()
            self._sweep()
            links.wipe(self.folder)


def usable_uids(uids: tuple[int, int] | None) -> int | None:
    """The first of `count` user ids that this system maps, near the one asked for; None where it maps too few."""
    if uids is None:
        return None
    first, count = uids
    with open("/proc/self/uid_map") as file:
        ranges = [(int(start), int(length)) for start, _, length in map(str.split, file)]
    if any(start <= first and first + count <= start + length for start, length in ranges):
        return first
    start, length = max(ranges, key=lambda one: one[1])
    places = (start + length - 1000) // count
    return start + length - count * (1 + first // count % places) if places > 0 else None


def closed_to_others(places: Places) -> str:
    """What of the things that a job is to see a user without rights of its own cannot read, as far as a few samples tell.

    The path of the file or folder that is in the way; empty where none is.
    """
    samples = [*places.readable, *(f"{folder}/os.py" for folder in places.stdlib), f"{places.packages}/numpy/__init__.py"]
    for path in map(os.path.realpath, filter(os.path.exists, samples)):
        if not os.stat(path).st_mode & 0o004:
            return path
        while (path := os.path.dirname(path)) != "/":
            if not os.stat(path).st_mode & 0o001:
                return path
    return ""
