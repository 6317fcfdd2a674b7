"""Canvas's gradebook as CSV, as "Import" in its Gradebook takes it.

What it needs is what Canvas's own importer reads (canvas-lms, lib/gradebook_importer.rb): first the columns Student, ID, SIS User
ID, SIS Login ID, Section; a row "Points Possible"; a column per assignment, with its number in brackets where it exists. A student
is found by ID, then SIS User ID, then SIS Login ID, then name. A blank cell changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from autograder.arguments import Unusable
from autograder.export.filling import cell, fill, number
from autograder.export.graded import Class, Exported, Graded
from autograder.language import say
from autograder.roster import CANVAS, Listed, who
from autograder.tables import Table, read_table, table_of
from autograder.text import csv_cell, points, visible

COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
POINTS_POSSIBLE = "Points Possible"
EXCUSED = "EX"

_NUMBERED = re.compile(r"\s*\(\d+\)$")
_NO_STUDENT = re.compile(r"\s*(?:muted|manual posting.*)?\s*", re.IGNORECASE)


def export(graded: Class, column: str, bonus: bool) -> Exported:
    """A gradebook with one assignment. The ID is Canvas's where the submissions had its names, else the SIS Login ID is the student's."""
    rows = [[f"    {POINTS_POSSIBLE}", "", "", "", "", points(graded.max_score)]]
    warnings: list[str] = []
    for student in graded.students:
        rows.append([*_student(student, warnings), student.score(bonus)])
    return Exported(table_of((*COLUMNS, column), rows).text(), tuple(warnings))


def _student(graded: Graded, warnings: list[str]) -> tuple[str, str, str, str, str]:
    sought = who(graded.student, CANVAS)
    if sought.system:
        return csv_cell(sought.name), sought.number, "", "", ""
    shown = csv_cell(graded.student)
    if shown != graded.student:
        name = visible(graded.student)
        warnings.append(
            say(
                f"{name} would be a formula and was written as {shown}, which Canvas will not find: use --roster.",
                f"{name} 会成为公式，已写成 {shown}，Canvas 将找不到：请使用 --roster。",
            )
        )
    return shown, "", "", shown, ""


def fill_roster(graded: Class, path: Path, column: str, bonus: bool) -> Exported:
    """The gradebook that was downloaded from Canvas, with the scores in one of its columns. Raises BadTable, Unusable."""
    table = read_table(path)
    if not (table.columns[0].strip() in ("Student", "LastName") and any(name.strip() == "ID" for name in table.columns[1:3])):
        raise Unusable(
            say(
                f"{path} is no gradebook of Canvas's, which starts with the columns Student and ID: download it from Gradebook, Export.",
                f"{path} 不是 Canvas 的成绩册（开头应为 Student 和 ID 两列）：请从成绩册的“导出”下载。",
            )
        )
    place = _column(table, path, column)
    students = {number: _listed(table, row) for number, row in enumerate(table.rows) if _is_student(row)}
    warnings = _maximum(table, place, graded.max_score)
    filled, more = fill(
        table, students, CANVAS, graded.students, lambda student: {place: student.score(bonus)}, lambda row: _excused(row, place)
    )
    return Exported(filled.text(), (*warnings, *more))


def _column(table: Table, path: Path, wanted: str) -> int:
    """The place of the assignment's column, named with or without its number."""
    names = [name.strip() for name in table.columns]
    found = [i for i, name in enumerate(names) if name == wanted.strip()]
    if not found:
        found = [i for i, name in enumerate(names) if _NUMBERED.sub("", name).casefold() == wanted.strip().casefold()]
    if len(found) == 1:
        return found[0]
    assignments = ", ".join(visible(name) for name in names if _NUMBERED.search(name))
    raise Unusable(
        say(
            f"{path} has {len(found)} columns called {wanted!r}: name one with --column. Its assignments: {assignments or 'none'}",
            f"{path} 中名为 {wanted!r} 的列有 {len(found)} 个：请用 --column 指定一列。其中的作业：{assignments or '无'}",
        )
    )


def _is_student(row: tuple[str, ...]) -> bool:
    return bool(row) and POINTS_POSSIBLE not in row[0] and not all(_NO_STUDENT.fullmatch(text) for text in row)


def _listed(table: Table, row: tuple[str, ...]) -> Listed:
    last, first = cell(row, table.place("LastName")), cell(row, table.place("FirstName"))
    if not last:
        last, _, first = cell(row, table.place("Student")).partition(",")
    number, login, sis = (cell(row, table.place(name)) for name in ("ID", "SIS Login ID", "SIS User ID"))
    others = tuple(value for value in (sis, cell(row, table.place("Integration ID"))) if value)
    return Listed(login or number, first.strip(), last.strip(), login if "@" in login else "", number, others)


def _maximum(table: Table, place: int, most: float) -> list[str]:
    """A warning where the assignment has another maximum: scores go out as they are."""
    for row in table.rows:
        if row and POINTS_POSSIBLE in row[0]:
            text = cell(row, place)
            if text and number(text) != most:
                return [
                    say(
                        f"The column has {text} points possible, and the scores are out of {points(most)}: they went out as they are.",
                        f"该列满分为 {text}，而分数的满分是 {points(most)}：分数按原样写入。",
                    )
                ]
    return []


def _excused(row: Sequence[str], place: int) -> str:
    if cell(row, place).upper() == EXCUSED:
        return say("excused in Canvas, and stays so.", "在 Canvas 中已免除，保持不变。")
    return ""
