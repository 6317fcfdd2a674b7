"""What a run over a class took, in the two ways in which the graders are compared."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.memory import family, memory_of

Command = Sequence[str]


class Failed(Exception):
    """A command that a measurement needs did not do what it should; the text says which, and its last words."""


@dataclass(frozen=True)
class Timing:
    """One run. seconds: from the start of the command to its end. finished: when each submission was done, in seconds of one clock."""

    jobs: int
    seconds: float
    finished: tuple[float, ...]
    peak: int = 0  # bytes of memory, where somebody looked

    @property
    def steady(self) -> float | None:
        """Seconds a submission from the second on, of each job; None where there is no second."""
        after_the_first = len(self.finished) - self.jobs
        return (max(self.finished) - min(self.finished)) / after_the_first if after_the_first > 0 else None


def run(command: Command, *, folder: Path | None = None, env: dict[str, str] | None = None) -> float:
    """Run a command to its end; its wall time in seconds. Failed where it exits with anything but 0."""
    start = time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        raise Failed(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout[-1000:]}{done.stderr[-2000:]}")
    return seconds


def run_watched(command: Command, seconds_between: float) -> tuple[float, int]:
    """Run a command; its wall time, and the most bytes that it and all below it had in memory at a look. Each look takes time."""
    most = 0
    start = time.perf_counter()
    with tempfile.TemporaryFile() as output, subprocess.Popen(command, stdout=output, stderr=output) as process:
        while True:
            try:
                code = process.wait(seconds_between)
                break
            except subprocess.TimeoutExpired:
                most = max(most, sum(map(memory_of, family(process.pid))))
    seconds = time.perf_counter() - start
    if code != 0:
        raise Failed(f"{' '.join(map(str, command))}: exit code {code}")
    return seconds, most


def run_together(commands: Sequence[Command], jobs: int, **how: Any) -> tuple[float, tuple[float, ...]]:
    """Run commands, so many at a time: the wall time of all, and when each ended."""

    def ended(command: Command) -> float:
        run(command, **how)
        return time.perf_counter()

    start = time.perf_counter()
    with ThreadPoolExecutor(jobs) as pool:
        finished = tuple(pool.map(ended, commands))
    return time.perf_counter() - start, finished


def written(paths: Sequence[Path]) -> tuple[float, ...]:
    """When these files were written."""
    return tuple(path.stat().st_mtime_ns / 1e9 for path in paths)
