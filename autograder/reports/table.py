"""The class as a table in the terminal, after `autograder grade` has run."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text as Line

from autograder.language import say
from autograder.reports.rows import ExerciseRow, Row, by_student, exercise_ids
from autograder.reports.words import ASCII_SIGNS, SIGNS, shade, word
from autograder.text import points, visible

ROWS_SHOWN = 60
COLOURS = {"passed": "green", "partly": "yellow", "failed": "red", "error": "magenta"}


def print_table(rows: Sequence[Row], console: Console | None = None) -> None:
    """Print the table with its legend; without colours and at 80 columns where this is no terminal."""
    console = console or Console()
    if not console.options.ascii_only:
        _print(rows, console, SIGNS)
        return
    # rich would stop at the first name that such a terminal cannot show.
    with console.capture() as captured:
        _print(rows, console, ASCII_SIGNS)
    console.file.write(captured.get().encode(console.encoding, "backslashreplace").decode(console.encoding))


def _print(rows: Sequence[Row], console: Console, signs: dict[str, str]) -> None:
    exercises = exercise_ids(rows)
    console.print(class_table(rows, exercises, signs))
    if len(rows) > ROWS_SHOWN:
        more = len(rows) - ROWS_SHOWN
        console.print(Line(say(f"{more} more in grades.csv and summary.html", f"其余 {more} 份见 grades.csv 和 summary.html"), style="dim"))
    if exercises:
        console.print(Line("  ".join(f"{i}:{name}" for i, name in enumerate(map(visible, exercises), 1)), style="dim"))
        shown = dict.fromkeys(shade(e.status, e.score) for row in rows[:ROWS_SHOWN] for e in row.exercises)
        console.print(Line("  ".join(f"{signs.get(s, '?')} {word(s)}" for s in ASCII_SIGNS if s in shown), style="dim"))


def class_table(rows: Sequence[Row], exercises: Sequence[str], signs: dict[str, str]) -> Table:
    """A row per submission, by student; exercises are numbered, since fifteen names do not fit into 80 columns."""
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    # The one column that gives way where the terminal is narrow: its cells are cut, the others stay whole.
    table.add_column(say("student", "学生"), min_width=8, max_width=24)
    table.add_column(say("score", "得分"), no_wrap=True, justify="right")
    table.add_column(say("bonus", "附加"), no_wrap=True, justify="right")
    table.add_column(say("status", "状态"), no_wrap=True)
    for i in range(len(exercises)):
        table.add_column(str(i + 1), no_wrap=True, justify="right", min_width=len(str(i + 1)))
    for row in by_student(rows)[:ROWS_SHOWN]:
        table.add_row(*_cells(row, exercises, signs))
    return table


def _cells(row: Row, exercises: Sequence[str], signs: dict[str, str]) -> list[Line]:
    # Line takes text as it is: no markup of a student's is obeyed.
    student = Line(visible(row.student), no_wrap=True, overflow="ellipsis")
    if row.status == "error":
        return [student, Line(""), Line(""), Line(word("error"), style=COLOURS["error"])]
    parts = {exercise.id: exercise for exercise in row.exercises}
    bonus = points(row.bonus) if row.bonus else ""
    score = f"{points(row.score)}/{points(row.max_score)}"
    return [student, Line(score), Line(bonus), Line(word(row.status)), *(_sign(parts.get(name), signs) for name in exercises)]


def _sign(exercise: ExerciseRow | None, signs: dict[str, str]) -> Line:
    if exercise is None:
        return Line("")
    status = shade(exercise.status, exercise.score)
    return Line(signs.get(status, "?"), style=COLOURS.get(status, ""))
