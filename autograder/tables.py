"""CSV files that go back and forth between a spreadsheet or an LMS and this kit: class lists, gradebooks, grading worksheets.

The roster reads its lists through it, and `export` fills one column of a table and leaves the others as they came.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from autograder.language import say
from autograder.limits import DEFAULT, MIB

BOM = "\ufeff"
DELIMITERS = (",", ";", "\t")  # spreadsheets of half of Europe write semicolons


class BadTable(ValueError):
    """A file that is no table of the wanted kind; the text names it and says what to do."""


@dataclass(frozen=True)
class Table:
    """A CSV file as text: its columns, its rows, and how it was written. Rows keep whatever length they have."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    delimiter: str = ","
    bom: bool = False
    line_end: str = "\n"

    def place(self, *names: str) -> int | None:
        """The place of the first column that has one of these names, whatever the case; None where there is none."""
        wanted = {name.casefold() for name in names}
        return next((i for i, column in enumerate(self.columns) if column.strip().casefold() in wanted), None)

    def text(self) -> str:
        """The file's text again."""
        written = io.StringIO()
        writer = csv.writer(written, delimiter=self.delimiter, lineterminator=self.line_end)
        writer.writerow(self.columns)
        writer.writerows(self.rows)
        return BOM * self.bom + written.getvalue()


def read_table(path: Path) -> Table:
    """The table in a CSV file, whichever of comma, semicolon and tab separates its columns. Raises BadTable."""
    text = _text_of(path)
    plain = text.removeprefix(BOM)
    first = plain.split("\n", 1)[0]
    delimiter = max(DELIMITERS, key=first.count)  # of equals the first
    try:
        rows = [tuple(row) for row in csv.reader(io.StringIO(plain, newline=""), delimiter=delimiter, strict=True)]
    except csv.Error as error:
        raise BadTable(
            say(f"{path} is no CSV file ({error}): save it as CSV again.", f"{path} 不是 CSV 文件（{error}）：请重新另存为 CSV。")
        ) from None
    if not rows or not any(rows[0]):
        raise BadTable(say(f"{path} has no row of column names.", f"{path} 没有列名那一行。"))
    return Table(rows[0], tuple(rows[1:]), delimiter, text.startswith(BOM), "\r\n" if first.endswith("\r") else "\n")


def _text_of(path: Path) -> str:
    try:
        with open(path, "rb") as file:
            data = file.read(DEFAULT.table_bytes + 1)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise BadTable(say(f"{path} cannot be read ({reason}).", f"无法读取 {path}（{reason}）。")) from None
    if len(data) > DEFAULT.table_bytes:
        most = DEFAULT.table_bytes // MIB
        raise BadTable(say(f"{path} is larger than {most} MiB: no class list is.", f"{path} 超过 {most} MiB，不会是班级名单。"))
    try:
        return data.decode("utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8")
    except UnicodeDecodeError:
        raise BadTable(
            say(
                f"{path} is not UTF-8: save it in the spreadsheet as “CSV UTF-8”.",
                f"{path} 不是 UTF-8 编码：请在电子表格软件中另存为“CSV UTF-8”。",
            )
        ) from None


def table_of(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> Table:
    """A new table."""
    return Table(tuple(columns), tuple(map(tuple, rows)))
