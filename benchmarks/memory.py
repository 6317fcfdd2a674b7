"""How much memory a process uses together with all that it starts, looked at while it works. Linux only."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from types import TracebackType

SECONDS_BETWEEN_LOOKS = 1.0  # each costs some milliseconds for every process


class Watch:
    """Use it in a `with`. peak: the most so far in bytes; pages that several processes share count once."""

    def __init__(self) -> None:
        self.peak = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(SECONDS_BETWEEN_LOOKS):
            self.peak = max(self.peak, sum(map(memory_of, family(os.getpid()))))


def family(process: int) -> list[int]:
    """A process and all below it."""
    found = [process]
    for one in found:
        for thread in Path(f"/proc/{one}/task").glob("*/children"):
            try:
                found += map(int, thread.read_text().split())
            except OSError:  # gone meanwhile
                continue
    return found


def memory_of(process: int) -> int:
    """The bytes that a process has in memory, of shared ones its share; 0 where it is gone."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
