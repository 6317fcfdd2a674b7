"""The figures of a benchmark as data: written to results.json after each part, read by render.py."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median

from benchmarks.timing import Timing


@dataclass(frozen=True)
class Row:
    """One thing that was measured several times; times in seconds.

    seconds: of the whole command. steady: a submission from the second on. again: the same command with nothing to do.
    peak: bytes of all processes together, 0 where nobody looked. facts: what a part has of its own.
    """

    who: str
    seconds: Sequence[float] = ()
    steady: Sequence[float] = ()
    again: Sequence[float] = ()
    exercises: int = 0
    students: int = 0
    jobs: int = 0
    peak: int = 0
    facts: dict[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, who: str, timings: Sequence[Timing], exercises: int, *, again: Sequence[float] = (), peak: int = 0) -> Row:
        """The runs of one class with the same jobs."""
        steady = tuple(timing.steady for timing in timings if timing.steady is not None)
        seconds = tuple(timing.seconds for timing in timings)
        peak = max(peak, *(timing.peak for timing in timings))
        return cls(who, seconds, steady, again, exercises, len(timings[0].finished), timings[0].jobs, peak)

    @property
    def whole(self) -> float:
        """The median of the whole command."""
        return median(self.seconds)

    @property
    def each(self) -> float:
        """The median of a submission, the command's start and end included."""
        return self.whole / self.students

    @property
    def each_after_the_first(self) -> float | None:
        """The median of a submission from the second on."""
        return median(self.steady) if self.steady else None


@dataclass(frozen=True)
class Part:
    """What one part of the benchmark found, on which machine. remarks: what could not be measured, and why."""

    machine: dict[str, str]
    rows: tuple[Row, ...]
    remarks: tuple[str, ...] = ()


def load(path: Path) -> dict[str, Part]:
    """The parts in a file by name; none where there is no file."""
    if not path.is_file():
        return {}
    content = json.loads(path.read_text("utf-8"))
    return {
        name: Part(part["machine"], tuple(Row(**row) for row in part["rows"]), tuple(part["remarks"])) for name, part in content.items()
    }


def save(path: Path, parts: dict[str, Part]) -> None:
    """Write all parts."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({name: asdict(part) for name, part in parts.items()}, indent=1) + "\n", "utf-8")
