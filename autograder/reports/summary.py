"""summary.html: the class at a glance, for the instructor. The batch writes it from its rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from autograder.language import speaking
from autograder.reports.atomic import write_atomically
from autograder.reports.pages import render
from autograder.reports.pairs import Similar
from autograder.reports.rows import ExerciseRow, Row
from autograder.reports.tally import BINS, ClassTally, tally
from autograder.reports.words import SIGNS
from autograder.text import points, visible

# The order in which a bar shows what became of an exercise or a test.
SHADES = ("passed", "partly", "failed", "error", "timeout", "crashed", "todo", "missing")
NAMES_SHOWN = 10  # of students beside a misconception; the rest folds away
LINES_SHOWN = 15  # of a list that may be as long as the class; the rest folds away
SMALL_CLASS = 40  # up to here the picture of students and exercises has a line per student, and beyond one per tenth
STUDENTS_LISTED = 1000  # in one table; of a larger class grades.csv has everybody
NAMES_LISTED = 500  # beside a misconception; `autograder export --to csv` has all of them
PAIRS_SHOWN = 50  # of similar submissions; all that are listed at all are in similarity.csv

WIDTH, HEIGHT, FLOOR, TOP = 640, 220, 190, 40
HEAT_STEPS = 5  # page.css has a colour for nothing earned and one for each step


@dataclass(frozen=True)
class Column:
    """One column of the histogram, in the picture's own units."""

    x: float
    y: float
    width: float
    height: float
    count: int
    label: str


@dataclass(frozen=True)
class HeatCell:
    """One cell of a table that is coloured by how much was earned."""

    text: str
    colour: str  # a class of the style; empty where nothing was tried


def summary_html(rows: Iterable[Row], *, similar: Similar | None = None, language: str | None = None) -> str:
    """The page over these rows; links go to `<folder>/feedback.html` and `<folder>/report.json` beside it.

    similar: the pairs with much code in common, where somebody asked for them.
    """
    with speaking(language):
        total = tally(rows)
        return render(
            "summary.html",
            total=total,
            similar=similar,
            by_name={row.student: row for row in total.rows},
            named=visible,
            columns=columns(total),
            chart={"width": WIDTH, "height": HEIGHT, "floor": FLOOR, "median": median_at(total)},
            shades=SHADES,
            names_shown=NAMES_SHOWN,
            lines_shown=LINES_SHOWN,
            pairs_shown=PAIRS_SHOWN,
            students_listed=STUDENTS_LISTED,
            names_listed=NAMES_LISTED,
            small=len(total.rows) <= SMALL_CLASS,
            heat=heat,
            earned=earned,
            heat_steps=range(HEAT_STEPS + 1),
        )


def write_summary(path: Path, rows: Iterable[Row], *, similar: Similar | None = None, language: str | None = None) -> None:
    """Write summary.html to `path`, whole or not at all."""
    write_atomically(path, summary_html(rows, similar=similar, language=language))


def columns(total: ClassTally) -> list[Column]:
    """The histogram of scores, the fullest bin at full height."""
    highest, step = max(*total.bins, 1), WIDTH / BINS
    drawn = []
    for i, count in enumerate(total.bins):
        height = (FLOOR - TOP) * count / highest
        last = i == BINS - 1
        label = f"{10 * i}–{10 * i + (10 if last else 9)}"
        drawn.append(Column(round(i * step + 5, 2), round(FLOOR - height, 2), round(step - 10, 2), round(height, 2), count, label))
    return drawn


def median_at(total: ClassTally) -> float:
    """Where the median stands on the histogram's axis."""
    return round(WIDTH * min(1.0, max(0.0, total.median / total.max_score)), 2) if total.max_score > 0 else 0.0


def heat(share: float) -> str:
    """The colour of a share from 0 to 1: 0 for nothing, the last step for all of it and nothing less."""
    if share >= 1 - 1e-9:
        return f"heat-{HEAT_STEPS}"
    return "heat-0" if share <= 0 else f"heat-{1 + int(share * (HEAT_STEPS - 1))}"


def earned(part: ExerciseRow | None) -> HeatCell:
    """What one student earned in one exercise; a sign where there is nothing that could have earned anything."""
    if part is None:
        return HeatCell("", "")
    if part.status in ("todo", "missing", "error") and not part.score:
        return HeatCell(SIGNS[part.status], "error" if part.status == "error" else "quiet")
    return HeatCell(points(part.score), heat(part.score / part.max_score if part.max_score > 0 else 0.0))
