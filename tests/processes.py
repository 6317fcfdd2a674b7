"""Runs of the command in a process of their own, and who descends from them: for tests that kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.conftest import ROOT


def start(*arguments: object) -> subprocess.Popen[str]:
    """`autograder ...`, the leader of a process group as a terminal would make it."""
    command = [sys.executable, "-m", "autograder", *map(str, arguments)]
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=_hear_ctrl_c,
    )


def _hear_ctrl_c() -> None:
    """A shell has what it runs in the background ignore SIGINT, and all that is started by that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def until(condition: Callable[[], object], seconds: float = 60.0) -> object:
    """Wait until the condition holds; what it gave."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.01)
    raise AssertionError(f"not within {seconds:.0f} s")


Process = tuple[int, int]  # the id, and when it started: ids come again


def family(pid: int) -> set[Process]:
    """A process's descendants."""
    children: dict[int, list[int]] = {}
    started: dict[int, int] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        if facts := _status(int(name)):
            parent, started[int(name)] = facts
            children.setdefault(parent, []).append(int(name))
    found: set[Process] = set()
    left = [pid]
    while left:
        for child in children.get(left.pop(), []):
            found.add((child, started[child]))
            left.append(child)
    return found


def alive(processes: set[Process]) -> set[Process]:
    """Those that run still."""
    return {(pid, started) for pid, started in processes if (facts := _status(pid)) and facts[1] == started}


def command_line(pid: int) -> str:
    """What a process was started with; empty where it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def _status(pid: int) -> tuple[int, int] | None:
    """The parent and the start time; None where it is gone, or a zombie that its parent has not asked for yet."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    return None if fields[0] == "Z" else (int(fields[1]), int(fields[19]))
