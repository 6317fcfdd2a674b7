"""A Dask cluster of real processes on loopback, good workers and bad ones, for tests/test_dask.py."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT
from tests.processes import family, until

# What a container does to a worker whose seccomp profile forbids namespaces, on a kernel without Landlock.
CONTAINED = """
import ctypes, os, struct, sys
from autograder.inside import kernel, seccomp, syscalls

def step(operation, value, if_true=0, if_false=0):
    return struct.pack("=HBBI", operation, if_true, if_false, value)

def refuse(name, error):
    return step(seccomp.EQUAL, syscalls.number(name), 0, 1) + step(seccomp.RETURN, seccomp.ERROR | error)

code = step(seccomp.LOAD, seccomp.NUMBER)
code += refuse("unshare", seccomp.EPERM) + refuse("clone3", seccomp.ENOSYS) + refuse("landlock_create_ruleset", seccomp.ENOSYS)
code += step(seccomp.EQUAL, syscalls.number("clone"), 0, 3) + step(seccomp.LOAD, seccomp.ARGUMENTS)
code += step(seccomp.ANY_BIT, seccomp.NAMESPACE_FLAGS, 0, 1) + step(seccomp.RETURN, seccomp.ERROR | seccomp.EPERM)
code += step(seccomp.RETURN, seccomp.ALLOW)
buffer = ctypes.create_string_buffer(code, len(code))
program = ctypes.create_string_buffer(struct.pack("@HP", len(code) // 8, ctypes.addressof(buffer)))
kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
kernel.call("seccomp", seccomp.SET_MODE_FILTER, 0, program)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""

# What a machine does to a worker that it runs out of memory with.
DEADLY = """
import os, signal
from autograder import crew
from autograder.pool import grade_job as real

def grade_job(job):
    if job.submission.student == "killer":
        os.kill(os.getpid(), signal.SIGKILL)
    return real(job)

crew.grade_job = grade_job
"""


class Cluster:
    """A scheduler in a folder of its own, without the kit, and the workers that a test starts."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        bare = folder / "bare"
        bare.mkdir()
        (bare / "autograder.py").write_text("raise ImportError('no kit here')\n")
        self.scheduler = self._start("scheduler", "--port", "0", "--scheduler-file", str(folder / "scheduler.json"), path=bare)
        self.address: str = until(self._address)  # type: ignore[assignment]

    def _address(self) -> str:
        try:
            return json.loads((self.folder / "scheduler.json").read_text("utf-8"))["address"]
        except (OSError, ValueError):
            return ""

    def worker(self, name: str, *options: str, contained: bool = False, path: Path | None = None) -> subprocess.Popen[bytes]:
        """Start a worker of one thread. contained: where no jail works. path: where it takes the kit from."""
        before = ["-c", CONTAINED] if contained else []
        where = ["--name", name, "--nthreads", "1", "--local-directory", str(self.folder / name)]
        return self._start("worker", self.address, *where, *options, before=before, path=path)

    def _start(self, what: str, *options: str, before: list[str] | None = None, path: Path | None = None) -> subprocess.Popen[bytes]:
        command = [sys.executable, *(before or []), "-m", "dask", what, *options, "--host", "127.0.0.1", "--no-dashboard"]
        environment = {
            **os.environ,
            "PYTHONPATH": str(path or ROOT),
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1",
            "DASK_DISTRIBUTED__SCHEDULER__DASHBOARD__ADDRESS": ":0",
        }
        log = open(self.folder / f"{what}-{len(self.processes)}.log", "wb")  # noqa: SIM115
        with log:
            process = subprocess.Popen(command, cwd=self.folder, env=environment, stdout=log, stderr=log, start_new_session=True)
        self.processes.append(process)
        return process

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """The machine of this worker is gone: nothing of it gets the time for a last word."""
        for pid in [process.pid, *(pid for pid, _ in family(process.pid))]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        process.wait()

    def close(self) -> None:
        for process in self.processes:
            self.kill(process)
