"""Puts the scores of a class into the rows of a table that an LMS wrote. Rows are found by id, number or name, and nobody is guessed.

Everything else in the table stays as it came: it goes back to where it came from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from autograder.export.graded import Graded
from autograder.language import say
from autograder.roster import Listed, Roster, who
from autograder.tables import Table
from autograder.text import visible

# Says of a row and a report why the row must stay as it is; empty where it may be filled.
Reason = Callable[[Sequence[str]], str]


def fill(
    table: Table,
    rows: Mapping[int, Listed],
    system: str,
    students: Iterable[Graded],
    cells: Callable[[Graded], Mapping[int, str]],
    untouchable: Reason,
) -> tuple[Table, list[str]]:
    """The table with `cells` (column -> text) of every student in their row, and the warnings.

    rows: the student of each row, by its number in the table. system: whose names and numbers the reports' ids may carry.
    """
    roster = Roster(rows.values(), numbers_from=system, own_names=True)
    number_of = {id(student): number for number, student in rows.items()}
    new = list(table.rows)
    warnings: list[str] = []
    owners: dict[int, list[Graded]] = {}
    for graded in students:
        match = roster.find(who(graded.student, system))
        if match.student is not None:
            owners.setdefault(number_of[id(match.student)], []).append(graded)
            continue
        name = visible(graded.student)
        if match.possible:
            listed = ", ".join(visible(student.id) for student in match.possible[:5])
            warnings.append(say(f"{name} could be, and need not be, {listed}.", f"{name} 可能是但不一定是 {listed}。"))
        else:
            warnings.append(say(f"{name} is in no row.", f"{name} 不在任何一行中。"))
    for number, found in sorted(owners.items()):
        names = ", ".join(visible(graded.student) for graded in found)
        reason = untouchable(new[number])
        if len(found) > 1:
            warnings.append(say(f"One row is the row of {names}: it was left as it is.", f"{names} 对应同一行：该行未改动。"))
        elif reason:
            warnings.append(f"{names}: {reason}")
        elif not found[0].is_error:
            new[number] = _with(new[number], cells(found[0]))
    return replace(table, rows=tuple(new)), warnings


def _with(row: Sequence[str], cells: Mapping[int, str]) -> tuple[str, ...]:
    longer = [*row, *("" for _ in range(max(cells) + 1 - len(row)))]
    return tuple(cells.get(i, cell) for i, cell in enumerate(longer))


def cell(row: Sequence[str], place: int | None) -> str:
    """One cell's text, empty where the row has none."""
    return row[place].strip() if place is not None and place < len(row) else ""


def number(text: str) -> float | None:
    """A number as an LMS writes it, with a point or a comma; None where it is none."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None
