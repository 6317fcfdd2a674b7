"""grades.csv: the gradebook of a class as a spreadsheet reads it. The batch writes it from its rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from autograder.reports.atomic import write_atomically
from autograder.reports.rows import Row, by_student, exercise_ids
from autograder.text import csv_cell

COLUMNS = ("student", "score", "max_score", "bonus", "status")


def grades_csv(rows: Sequence[Row]) -> str:
    """The text of grades.csv, a line per row by student, a column per exercise that was graded.

    A submission that could not be graded has the status `error` and no numbers at all: an empty cell is nobody's zero. An
    exercise that a graded submission lacks altogether (graded with `--exercise` in another run) is empty too.
    """
    exercises = exercise_ids(rows)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*COLUMNS, *map(csv_cell, exercises)])
    for row in by_student(rows):
        if row.status == "error":
            numbers, scores = ("", "", ""), dict[str, float]()
        else:
            numbers = (str(row.score), str(row.max_score), str(row.bonus))
            scores = {exercise.id: exercise.score for exercise in row.exercises}
        writer.writerow([csv_cell(row.student), *numbers, csv_cell(row.status), *(scores.get(name, "") for name in exercises)])
    return out.getvalue()


def write_grades(path: Path, rows: Sequence[Row]) -> None:
    """Write grades.csv to `path`, UTF-8, whole or not at all."""
    write_atomically(path, grades_csv(rows))
