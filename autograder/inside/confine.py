"""What a forked process does to itself before the student's code runs in it: its files, its limits, its walls.

The keeper calls `run` in the child. If one wall that the template promised cannot be put up, nothing is run.
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
from typing import Any

import msgpack

from . import kernel, landlock, seccomp
from .job import FAILED, READY, Job, tell
from .setting import Places

CONNECTION, LIFE, REQUEST = 3, 4, 5
DEVICES = ("/dev/null", "/dev/zero", "/dev/full")
MOST_FILES = 8192
OURS = ("autograder", "msgpack", "__main__")
kept: list[Any] = []  # our modules, which must outlive their names


def run(job: Job) -> None:
    """Become the jailed process, then serve the exercise; never returns."""
    status = 70
    try:
        try:
            files, setup = _take_over_descriptors(job)
            _fill_and_enter(job, files)
            _limit(job)
            _wall_in(job)
            main = _forget_the_kit(job)
        except BaseException as error:
            tell(LIFE, FAILED, f"{type(error).__name__}: {error}")
            os._exit(status)
        tell(LIFE, READY)
        os.close(LIFE)
        try:
            main(socket.socket(fileno=CONNECTION), {**setup, "root": job.places.submission})
            status = 0
        except BaseException:
            traceback.print_exc()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    finally:
        os._exit(status)


def _take_over_descriptors(job: Job) -> tuple[list[tuple[bytes, bytes]], dict[str, Any]]:
    """Keep the job's descriptors under fixed numbers and no others; the request's files and setup."""
    os.setsid()
    for ignored in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTSTP):
        signal.signal(ignored, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    own = job.descriptors
    # Copies first, out of the way of the fixed numbers.
    high = [os.dup2(number, 100 + i) for i, number in enumerate((own.stdout, own.stderr, own.connection, own.life, own.request))]
    nothing = os.open("/dev/null", os.O_RDWR)
    os.dup2(nothing, 0)
    for number, target in zip(high, (1, 2, CONNECTION, LIFE, REQUEST), strict=True):
        os.dup2(number, target, inheritable=target < CONNECTION)
    os.closerange(REQUEST + 1, 1 << 20)
    with open(REQUEST, "rb") as file:
        file.seek(0)
        files, setup = msgpack.unpackb(file.read(), strict_map_key=False)
    # New streams over the new files; a student may print what is no text.
    for name, descriptor, buffering in (("stdout", 1, -1), ("stderr", 2, 1)):
        stream = open(descriptor, "w", buffering, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    return files, setup


def _fill_and_enter(job: Job, files: list[tuple[bytes, bytes]]) -> None:
    """The submission's files in a folder that is read-only from then on, and the empty scratch folder to start in."""
    places = job.places
    if job.namespaces:
        uid, gid = (os.geteuid(), os.getegid()) if job.uid is None else (job.uid, job.uid)
        kernel.tmpfs(places.submission, kernel.MS_NOEXEC)
        kernel.tmpfs(places.scratch, kernel.MS_NOEXEC, f"mode=0700,uid={uid},gid={gid},size={job.setting.scratch},nr_inodes={MOST_FILES}")
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


def _wall_in(job: Job) -> None:
    """Another user, no capabilities, Landlock, the system-call filter: in this order, since each forbids the one before."""
    places = job.places
    os.chdir(places.scratch)
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
        readable = [*places.readable, places.submission, "/dev/urandom", "/dev/random"]
        landlock.restrict(job.landlock, readable, [places.scratch], DEVICES)
    if job.seccomp:
        seccomp.restrict(alone=job.namespaces, landlock=job.landlock, pid=os.getpid())


def _forget_the_kit(job: Job) -> Any:
    """Leave a student's interpreter: their folders first on the path, none of our modules by name. The worker's `main`."""
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed()  # the template's state would be the same in every fork
    main = sys.modules[job.setting.worker].main
    for name in [name for name in sys.modules if name.partition(".")[0] in OURS or name == job.setting.worker]:
        kept.append(sys.modules.pop(name))
    sys.modules["__main__"] = types.ModuleType("__main__")
    sys.argv[:] = sys.orig_argv[:] = [""]
    sys.path[:] = search_path(job.places)
    sys.path_importer_cache.clear()
    gc.enable()
    return main


def search_path(places: Places) -> list[str]:
    """Where a student's import statement looks, in this order."""
    return [places.submission, f"{places.submission}/exercises", *places.stdlib, places.packages]
