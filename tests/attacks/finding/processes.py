"""Looks for other processes and reaches for them: signals, their memory, their files, their limits.

Expected: right
"""

import ctypes
import os
import resource
import signal

from attack_kit import attempt, right
from outside import PROCESSES

libc = ctypes.CDLL(None, use_errno=True)
SYS_PROCESS_VM_READV, PTRACE_ATTACH = 310, 16


def call(*arguments):
    result = libc.syscall(*arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return result


for pid in PROCESSES:
    if pid in (os.getpid(), os.getppid()):
        continue  # the number is another process's in here
    attempt(f"signal to {pid}", lambda: os.kill(pid, 0))
    attempt(f"end of {pid}", lambda: os.kill(pid, signal.SIGKILL))
    attempt(f"limits of {pid}", lambda: resource.prlimit(pid, resource.RLIMIT_NOFILE, (1, 1)))
    attempt(f"processors of {pid}", lambda: os.sched_setaffinity(pid, {0}))
    attempt(f"priority of {pid}", lambda: os.setpriority(os.PRIO_PROCESS, pid, 19))
for pid in (1, os.getppid(), *PROCESSES):
    if hasattr(libc, "ptrace"):
        attempt(f"trace {pid}", lambda: call(101, PTRACE_ATTACH, pid, 0, 0))
    attempt(f"memory of {pid}", lambda: call(SYS_PROCESS_VM_READV, pid, 0, 0, 0, 0, 0))
    attempt(f"memory file of {pid}", lambda: open(f"/proc/{pid}/mem", "rb"))
attempt("the processes in /proc", lambda: open(f"/proc/{os.getpid()}/stat"))


def softmax(x, axis=-1):
    return right(x, axis)
