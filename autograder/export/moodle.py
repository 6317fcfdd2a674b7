"""Moodle's grades: the grading worksheet of an assignment, filled in, or a table for Grades, Import.

The worksheet is what mod_assign's offline feedback reads (moodle, mod/assign/feedback/offline/importgradeslib.php and locallib.php):
it must have the columns Identifier, Grade and Last modified (grade), in the site's language; the number in "Participant 12" is
the one in the names of the downloaded files. Moodle passes over a grade that is empty, above the maximum or locked.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from pathlib import Path

from autograder.arguments import Unusable
from autograder.export.filling import cell, fill, number
from autograder.export.graded import Class, Exported, Graded
from autograder.export.told import told
from autograder.language import say
from autograder.roster import MOODLE, Listed, who
from autograder.tables import Table, read_table, table_of
from autograder.text import csv_cell, cut, points, visible

COLUMNS = (
    "Identifier", "Full name", "ID number", "Email address", "Grade", "Maximum Grade", "Last modified (grade)", "Feedback comments",
)  # fmt: skip

# A column's names in Moodle's English and simplified Chinese.
IDENTIFIER = ("Identifier", "标识符")
FULL_NAME = ("Full name", "姓名", "全名", "用户全名")
EMAIL = ("Email address", "Email地址", "电子邮件地址", "邮箱地址")
ID_NUMBER = ("ID number", "学号", "编号", "ID号")
USERNAME = ("Username", "用户名")
GRADE = ("Grade", "成绩")
MAXIMUM = ("Maximum Grade", "最高分")
CHANGEABLE = ("Grade can be changed", "允许更改成绩")
FEEDBACK = ("Feedback comments", "反馈评论", "反馈意见", "反馈评语")
NO = ("no", "否")

LONGEST_FEEDBACK = 20_000  # characters; a spreadsheet's cell holds 32,767

_NUMBER = re.compile(r"(\d+)\s*$")


def export(graded: Class, bonus: bool) -> Exported:
    """A table with the columns of both of Moodle's imports. Identifier and full name are known where the files had Moodle's names."""
    rows, warnings = [], []
    for student in graded.students:
        sought = who(student.student, MOODLE)
        shown = csv_cell(student.student)
        if sought.system:
            known = (f"Participant {sought.number}", csv_cell(sought.name), "", "")
        elif "@" in student.student:
            known = ("", "", "", shown)
        else:
            known = ("", "", shown, "")
        if shown != student.student:
            name = visible(student.student)
            warnings.append(
                say(
                    f"{name} would be a formula and was written as {shown}, which Moodle will not find: use --roster.",
                    f"{name} 会成为公式，已写成 {shown}，Moodle 将找不到：请使用 --roster。",
                )
            )
        rows.append([*known, student.score(bonus), points(graded.max_score), "", feedback(student)])
    if bonus:
        warnings += _above(graded, graded.max_score)
    return Exported(table_of(COLUMNS, rows).text(), tuple(warnings))


def fill_roster(graded: Class, path: Path, column: str | None, bonus: bool) -> Exported:
    """The grading worksheet that was downloaded from Moodle, with grades and feedback. Raises BadTable, Unusable.

    column: the name of the grade's column where Moodle speaks another language than English or Chinese.
    """
    table = read_table(path)
    place = table.place(column) if column else table.place(*GRADE)
    identifier = table.place(*IDENTIFIER)
    if identifier is None and table.rows and all(_NUMBER.search(cell(row, 0)) for row in table.rows if row):
        identifier = 0
    if identifier is None or place is None:
        raise Unusable(
            say(
                f"{path} is no grading worksheet: it needs the columns Identifier and {column or 'Grade'}. Enable “Offline grading "
                "worksheet” in the assignment and download it; in other languages name the grade's column with --column.",
                f"{path} 不是评分工作表：需要“标识符”和“{column or '成绩'}”两列。请在作业中启用“离线评分工作表”并下载；"
                "其他语言请用 --column 指定成绩列。",
            )
        )
    students = {number: _listed(table, row, identifier) for number, row in enumerate(table.rows) if row}
    comments = table.place(*FEEDBACK)

    def cells(student: Graded) -> dict[int, str]:
        return {place: student.score(bonus)} | ({comments: feedback(student)} if comments is not None else {})

    filled, warnings = fill(table, students, MOODLE, graded.students, cells, lambda row: _locked(table, row))
    if comments is None:
        warnings.append(say("The worksheet has no column for feedback comments.", "工作表中没有反馈评语这一列。"))
    maxima = {most for row in table.rows if (most := number(cell(row, table.place(*MAXIMUM)))) is not None}
    if maxima and maxima != {graded.max_score}:
        listed = ", ".join(map(points, sorted(maxima)))
        warnings.append(
            say(
                f"Moodle's maximum grade is {listed}, and the scores are out of {points(graded.max_score)}: they went out as they are.",
                f"Moodle 的最高分是 {listed}，而分数的满分是 {points(graded.max_score)}：分数按原样写入。",
            )
        )
    if bonus:
        warnings += _above(graded, min(maxima, default=graded.max_score))
    return Exported(filled.text(), tuple(warnings))


def _listed(table: Table, row: Sequence[str], identifier: int) -> Listed:
    shown = cell(row, identifier)
    participant = _NUMBER.search(shown)
    email, idnumber, username = (cell(row, table.place(*names)) for names in (EMAIL, ID_NUMBER, USERNAME))
    others = tuple(value for value in (idnumber, username) if value)
    return Listed(shown, cell(row, table.place(*FULL_NAME)), "", email, participant[1] if participant else "", others)


def _locked(table: Table, row: Sequence[str]) -> str:
    if cell(row, table.place(*CHANGEABLE)).casefold() in NO:
        return say("Moodle has locked this grade; the row was left as it is.", "Moodle 已锁定该成绩；该行未改动。")
    return ""


def _above(graded: Class, most: float) -> list[str]:
    """With the bonus, a warning for each grade that Moodle will pass over."""
    above = [g for g in graded.students if not g.is_error and g.report.score + g.report.bonus > most]
    if not above:
        return []
    names = ", ".join(visible(student.student) for student in above)
    return [
        say(
            f"Moodle passes over grades above the maximum of {points(most)}, here those of {names}: raise the maximum in the assignment.",
            f"Moodle 会忽略超过最高分 {points(most)} 的成绩，这里有 {names}：请在作业设置中提高最高分。",
        )
    ]


def feedback(graded: Graded) -> str:
    """What the student reads in Moodle, as HTML, since that is what its feedback comments are: scores, and what is not right yet."""
    report = graded.report
    if graded.is_error:
        return ""
    lines = [f"{points(report.score)} / {points(report.max_score)}"]
    most = sum(exercise.max_score for exercise in report.exercises if exercise.bonus)
    if most:
        lines[0] += say(f", bonus {points(report.bonus)} / {points(most)}", f"，附加分 {points(report.bonus)} / {points(most)}")
    messages = told(graded)
    for exercise in report.exercises:
        lines.append(f"{exercise.title}: {points(exercise.score)} / {points(exercise.max_score)}")
        if exercise.status == "passed":
            continue
        whole = messages.exercises.get(exercise.id, "")
        if whole:
            lines += [f"– {line}" for line in whole.split("\n")]
            continue
        for test in exercise.tests:
            if test.status != "passed":
                said = messages.tests.get((exercise.id, test.id), "").replace("\n", " ")
                lines.append(f"– {test.title}" + (f": {said}" if said else ""))
    return cut("<br>".join(html.escape(visible(line), quote=False) for line in lines), LONGEST_FEEDBACK)
