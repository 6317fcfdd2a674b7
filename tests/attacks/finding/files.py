"""Reads files of the machine and of the grader, by the paths that a student can guess and by some that they cannot.

Expected: right
"""

import os

from attack_kit import attempt, right
from outside import PATHS

HOME = os.path.expanduser("~root")
GUESSED = ["/etc/passwd", "/etc/shadow", "/etc/hostname", "/root/.bashrc", "/root/.ssh/id_rsa", f"{HOME}/.profile", "/var/log/dpkg.log"]
GUESSED += [f"/proc/{pid}/{name}" for pid in ("self", "1", str(os.getppid())) for name in ("environ", "maps", "mem", "cmdline", "stat")]
GUESSED += ["/proc/version", "/proc/cpuinfo", "/proc/mounts", "/proc/net/tcp", "/sys/kernel/notes", "/dev/kmsg", "/dev/mem"]

for path in [*GUESSED, *PATHS]:
    attempt(f"read {path}", lambda: open(path, "rb").read(64))


def softmax(x, axis=-1):
    return right(x, axis)
