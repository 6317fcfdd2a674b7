"""The machine that is measured on, in words for the page; nothing that names it."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path

from autograder import __version__
from autograder.jail import choose


def description() -> dict[str, str]:
    """What it is, what runs on it, and what is measured."""
    return {
        "processor": f"{processor()}, {len(os.sched_getaffinity(0))} cores",
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 1024**3:.0f} GiB",
        "system": f"{platform.system()} {platform.release()}",
        "Python": platform.python_version(),
        "NumPy": version("numpy"),
        "jail": choose("auto"),
        "kit": f"{__version__}{commit()}",
        "load before": f"{os.getloadavg()[0]:.2f}",
    }


def processor() -> str:
    """The processor's name."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def commit() -> str:
    """The commit of the working tree, with a mark where it has changes; nothing outside of a clone."""
    command = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    done = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True)
    return f", {done.stdout.strip()}" if done.returncode == 0 else ""
