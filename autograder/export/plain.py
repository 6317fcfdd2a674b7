"""A plain table for spreadsheets and statistics: one row for each student and test, after the exercise that it belongs to."""

from __future__ import annotations

from autograder.export.graded import Class, Exported, Graded
from autograder.tables import table_of
from autograder.text import csv_cell

COLUMNS = (
    "student", "status", "score", "max_score", "bonus_score",
    "exercise", "bonus", "test", "title", "test_status", "points", "earned", "misconception",
)  # fmt: skip


def export(graded: Class) -> Exported:
    """The table. A submission that could not be graded is one row without numbers. No cell is a formula."""
    rows = [row for student in graded.students for row in _rows(student)]
    return Exported(table_of(COLUMNS, ([csv_cell(text) for text in row] for row in rows)).text())


def _rows(graded: Graded) -> list[tuple[str, ...]]:
    report = graded.report
    if graded.is_error or not report.exercises:
        return [(graded.student, report.status, *("" for _ in COLUMNS[2:]))]
    totals = (graded.student, report.status, str(report.score), str(report.max_score), str(report.bonus))
    return [
        (
            *totals,
            exercise.id,
            "yes" if exercise.bonus else "no",
            test.id,
            test.title,
            test.status,
            str(test.points),
            str(test.earned),
            test.misconception or "",
        )
        for exercise in report.exercises
        for test in exercise.tests
    ]
