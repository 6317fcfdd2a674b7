"""summary.html: the class at a glance, for the instructor. The batch writes it from its rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from autograder.language import speaking
from autograder.reports.atomic import write_atomically
from autograder.reports.pages import render
from autograder.reports.rows import Row
from autograder.reports.tally import ClassTally, tally

# The order in which a bar shows what became of an exercise or a test.
SHADES = ("passed", "partly", "failed", "error", "timeout", "crashed", "todo", "missing")
NAMES_SHOWN = 12  # of students beside a misconception; the rest folds away

WIDTH, HEIGHT, FLOOR, TOP = 640, 200, 170, 22


@dataclass(frozen=True)
class Column:
    """One column of the histogram, in the picture's own units."""

    x: float
    y: float
    width: float
    height: float
    count: int
    label: str


def summary_html(rows: Iterable[Row], *, language: str | None = None) -> str:
    """The page over these rows; links go to `<folder>/feedback.html` and `<folder>/report.json` beside it."""
    with speaking(language):
        total = tally(rows)
        return render(
            "summary.html",
            total=total,
            columns=columns(total),
            chart={"width": WIDTH, "height": HEIGHT, "floor": FLOOR},
            shades=SHADES,
            names_shown=NAMES_SHOWN,
        )


def write_summary(path: Path, rows: Iterable[Row], *, language: str | None = None) -> None:
    """Write summary.html to `path`, whole or not at all."""
    write_atomically(path, summary_html(rows, language=language))


def columns(total: ClassTally) -> list[Column]:
    """The histogram of scores, the fullest bin at full height."""
    highest, step = max(*total.bins, 1), WIDTH / len(total.bins)
    drawn = []
    for i, count in enumerate(total.bins):
        height = (FLOOR - TOP) * count / highest
        last = i == len(total.bins) - 1
        label = f"{10 * i}–{10 * i + (10 if last else 9)}"
        drawn.append(Column(round(i * step + 5, 2), round(FLOOR - height, 2), round(step - 10, 2), round(height, 2), count, label))
    return drawn
