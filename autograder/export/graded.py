"""Reads the folder that `autograder grade` wrote: the report of each student, and the score that goes out. All formats use it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from autograder.language import say
from autograder.reports.model import Report
from autograder.reports.schema import from_json
from autograder.text import points, visible


@dataclass(frozen=True)
class Graded:
    """One student's report and the folder that it lies in."""

    folder: Path
    report: Report

    @property
    def student(self) -> str:
        return self.report.student

    @property
    def is_error(self) -> bool:
        """Whether the submission could not be graded: it has no score, and nobody's is 0 for that reason."""
        return self.report.status == "error"

    def score(self, bonus: bool) -> str:
        """The score as an LMS reads it, two decimals at most; empty where there is none."""
        return "" if self.is_error else points(self.report.score + (self.report.bonus if bonus else 0.0))


@dataclass(frozen=True)
class Class:
    """The reports of a class by student, and what could not be read."""

    students: tuple[Graded, ...]
    warnings: tuple[str, ...] = ()

    @property
    def max_score(self) -> float:
        return max((graded.report.max_score for graded in self.students), default=0.0)


def read_class(folder: Path) -> Class:
    """Every report in a folder that `grade` wrote, with a warning for each that cannot be read or has no score."""
    found: list[Graded] = []
    warnings: list[str] = []
    for path in sorted(folder.glob("*/report.json")):
        try:
            found.append(Graded(path.parent, from_json(json.loads(path.read_bytes()))))
        except (OSError, ValueError) as error:
            warnings.append(say(f"{path} cannot be read ({error}): grade it again.", f"无法读取 {path}（{error}）：请重新评分。"))
    found.sort(key=lambda graded: (graded.student, graded.folder.name))
    for graded in found:
        if graded.is_error:
            name, why = visible(graded.student), " ".join(graded.report.notes)
            warnings.append(say(f"{name} could not be graded, so that no score goes out: {why}", f"{name} 无法评分，因此不导出分数：{why}"))
    return Class(tuple(found), tuple(warnings))


@dataclass(frozen=True)
class Exported:
    """The text of an exported file, and what has to be looked at."""

    text: str
    warnings: tuple[str, ...] = ()
