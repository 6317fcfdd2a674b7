"""What happens before the student's code runs: a submission's files and folders, then limits and walls around each process.

The keeper calls `prepare` on itself once, then `run` in each child. If one wall that the template promised cannot be put up,
nothing is run.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import socket
import sys
import traceback
import types
from dataclasses import dataclass
from typing import Any

import msgpack

from . import kernel, landlock, seccomp
from .job import FAILED, READY, Descriptors, Job, tell
from .setting import Places

CONNECTION, LIFE = 3, 4
OUT_OF_THE_WAY = 100  # of the fixed numbers; descriptors are copied there first
DEVICES = ("/dev/null", "/dev/zero", "/dev/full")
MOST_FILES = 8192
OURS = ("autograder", "msgpack", "__main__")
HEADER = 4  # bytes of the length before the setup
kept: list[Any] = []  # our modules and streams, which must outlive their names


def leave_an_interpreter(worker: str, kit: str) -> None:
    """In the template, when all is imported: what a student's interpreter has in each fork, and none of our modules by name.

    Whatever a fork writes to, a page of memory is copied for, so that nothing is left to the forks that can be done here.
    """
    kept.append(sys.modules[worker].main)
    for name in [name for name in sys.modules if name.partition(".")[0] in OURS or name == worker]:
        kept.append(sys.modules.pop(name))
    sys.modules["__main__"] = types.ModuleType("__main__")
    sys.argv[:] = sys.orig_argv[:] = [""]
    for path in [path for path in sys.path_importer_cache if path.startswith(kit)]:
        del sys.path_importer_cache[path]
    # Streams over what will be a pipe; a student may print what is no text.
    own = [(number, os.dup(number)) for number in (1, 2)]
    read_end, write_end = os.pipe()
    for name, descriptor, buffering in (("stdout", 1, -1), ("stderr", 2, 1)):
        os.dup2(write_end, descriptor)
        stream = open(descriptor, "w", buffering, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
        kept.append((getattr(sys, name), getattr(sys, f"__{name}__")))
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    for number, copy in own:
        os.dup2(copy, number)
        os.close(copy)
    os.close(read_end)
    os.close(write_end)


@dataclass(frozen=True)
class Prepared:
    """What the keeper has ready for each process. scratch: the folder's state at first. rules: Landlock's, as a descriptor, or -1."""

    scratch: os.stat_result
    rules: int


def prepare(job: Job) -> Prepared:
    """The submission's files in a folder that is read-only from then on, the empty scratch folder, the environment, the limits."""
    places = job.places
    if job.namespaces:
        kernel.tmpfs(places.submission, kernel.MS_NOEXEC)
        size = f"size={job.setting.scratch},nr_inodes={MOST_FILES}"
        kernel.tmpfs(places.scratch, kernel.MS_NOEXEC | kernel.MS_NOATIME, f"{_owner_of_scratch(job)},{size}")
    with open(job.files, "rb") as file:
        file.seek(0)
        files = msgpack.unpackb(file.read())
    for name, content in files:
        path = os.path.join(places.submission, os.fsdecode(name))
        os.makedirs(os.path.dirname(path), mode=0o755, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o444)
        with open(descriptor, "wb") as file:
            file.write(content)
    if job.namespaces:
        kernel.make_tmpfs_read_only(places.submission)
    elif job.uid is not None:
        os.chown(places.scratch, job.uid, job.uid)
    os.environ.clear()
    os.environ.update(job.setting.environment)
    os.environ.update(dict.fromkeys(("HOME", "TMPDIR", "MPLCONFIGDIR"), places.scratch))
    os.environ["PYTHONPATH"] = ":".join((*places.stdlib, places.packages))  # for interpreters that student code starts
    _limit(job)
    rules = -1
    if job.landlock:
        readable = [*places.readable, places.submission, "/dev/urandom", "/dev/random"]
        rules = landlock.rules(job.landlock, readable, [places.scratch], DEVICES)
    for name in {"random", "numpy.random"} & sys.modules.keys():
        sys.modules[name].seed()  # the template's state would be the same for everybody
    return Prepared(os.stat(places.scratch), rules)


def _owner_of_scratch(job: Job) -> str:
    """A student's process that does not own the folder can make files in it, and leaves no trace where it has removed them."""
    return "mode=1777" if job.uid is not None else f"mode=0700,uid={os.geteuid()},gid={os.getegid()}"


def is_untouched(job: Job, prepared: Prepared) -> bool:
    """Whether the scratch folder is as it was at first, in every respect that student code can change and see."""
    if job.uid is None:  # its owner can change more than is looked at here
        return False
    now, before = os.stat(job.places.scratch), prepared.scratch
    same = (now.st_mode, now.st_mtime_ns, now.st_ctime_ns) == (before.st_mode, before.st_mtime_ns, before.st_ctime_ns)
    return same and not os.listdir(job.places.scratch)


def run(job: Job, prepared: Prepared, own: Descriptors) -> None:
    """Become the jailed process, then serve the exercise; never returns."""
    status = 70
    try:
        try:
            _take_over_descriptors(own)
            _wall_in(job, prepared.rules)
            sys.path[:] = search_path(job.places)
            gc.enable()
        except BaseException as error:
            tell(LIFE, FAILED, f"{type(error).__name__}: {error}")
            os._exit(status)
        tell(LIFE, READY)
        os.close(LIFE)
        try:
            connection = socket.socket(fileno=CONNECTION)
            kept[0](connection, {**_setup(connection), "root": job.places.submission})
            status = 0
        except BaseException:
            traceback.print_exc()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    finally:
        os._exit(status)


def _setup(connection: socket.socket) -> dict[str, Any]:
    """What the grader sends first: plain data, as a length and a msgpack body."""
    size = int.from_bytes(_received(connection, HEADER), "big")
    setup: dict[str, Any] = msgpack.unpackb(_received(connection, size), strict_map_key=False)
    return setup


def _received(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = connection.recv(size - len(data), socket.MSG_WAITALL)
        if not more:
            os._exit(0)
        data += more
    return data


def _take_over_descriptors(own: Descriptors) -> None:
    """The process's descriptors under fixed numbers; the streams are over two of them."""
    os.setsid()
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTSTP, signal.SIGCHLD, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    descriptors = (own.stdout, own.stderr, own.connection, own.life)
    high = [os.dup2(descriptor, OUT_OF_THE_WAY + i) for i, descriptor in enumerate(descriptors)]
    os.dup2(os.open("/dev/null", os.O_RDWR), 0)
    for descriptor, target in zip(high, (1, 2, CONNECTION, LIFE), strict=True):
        os.dup2(descriptor, target, inheritable=target < CONNECTION)


def _limit(job: Job) -> None:
    setting = job.setting
    limits = {
        resource.RLIMIT_CPU: (setting.cpu_seconds, setting.cpu_seconds + 1),
        resource.RLIMIT_FSIZE: (setting.scratch, setting.scratch),
        resource.RLIMIT_NOFILE: (setting.open_files, setting.open_files),
        resource.RLIMIT_NPROC: (job.processes, job.processes),
        resource.RLIMIT_AS: (job.address_space, job.address_space),
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_MEMLOCK: (0, 0),
        resource.RLIMIT_MSGQUEUE: (0, 0),
        resource.RLIMIT_SIGPENDING: (1024, 1024),
        resource.RLIMIT_NICE: (0, 0),
        resource.RLIMIT_RTPRIO: (0, 0),
    }
    for kind, (soft, hard) in limits.items():
        most = resource.getrlimit(kind)[1]
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)
        resource.setrlimit(kind, (soft, hard))


def _wall_in(job: Job, rules: int) -> None:
    """Another user, no capabilities, Landlock, no other open file, the system-call filter: each forbids what is before it."""
    os.chdir(job.places.scratch)
    os.umask(0o077)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    capabilities = 1 << kernel.CAP_DAC_READ_SEARCH if job.read_all else 0
    if job.uid is not None:
        kernel.prctl(kernel.PR_SET_KEEPCAPS, 1)
        os.setgroups([])
        os.setresgid(job.uid, job.uid, job.uid)
        os.setresuid(job.uid, job.uid, job.uid)
    if job.setting.confine:
        kernel.keep_capabilities(capabilities)
    if job.landlock:
        landlock.restrict(rules)
    os.closerange(LIFE + 1, 1 << 20)
    if job.seccomp:
        seccomp.restrict(alone=job.namespaces, landlock=job.landlock, pid=os.getpid())


def search_path(places: Places) -> list[str]:
    """Where a student's import statement looks, in this order."""
    return [places.submission, f"{places.submission}/exercises", *places.stdlib, places.packages]
