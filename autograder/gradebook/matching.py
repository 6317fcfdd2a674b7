"""Finds, for the cells of a student's notebook, which cells of the release they are: by grade_id, else by what stands in them.

Editors lose nbgrader's metadata, students delete, copy and rename cells. `repair` calls `match`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from autograder.course import COURSE
from autograder.gradebook.expected import Expected, KnownCell
from autograder.language import say
from autograder.submissions.notebooks import defines

TODO = "NotImplementedError"


@dataclass(frozen=True)
class Seen:
    """A cell as the student handed it in: kind, text, and the grade_id that it carried."""

    kind: str
    source: str
    grade_id: str = ""


@dataclass(frozen=True)
class Matched:
    """For each cell of the student's the id of the release's cell that it is, or nothing; and what is to be told about it."""

    ids: tuple[str, ...]
    notes: tuple[str, ...]


def match(cells: Sequence[Seen], expected: Expected) -> Matched:
    """Give the cells their ids. No id is given twice."""
    ids = _by_grade_id(cells, expected)
    by_name = _by_definition(cells, ids, expected)
    _by_text(cells, ids, expected)
    by_headings = _by_headings(cells, ids, expected)
    notes = []
    if recognised := [*by_name, *by_headings]:
        listed = ", ".join(recognised)
        notes.append(
            say(
                f"Cells that had lost nbgrader's metadata were recognised by what stands in them: {listed}.",
                f"有单元格丢失了 nbgrader 元数据，已按内容识别：{listed}。",
            )
        )
    return Matched(tuple(ids), tuple(notes))


def _by_grade_id(cells: Sequence[Seen], expected: Expected) -> list[str]:
    """Ids that fit. A code cell of the release is one only as a code cell, since that is what was graded."""
    ids = [""] * len(cells)
    places: dict[str, list[int]] = {}
    for i, cell in enumerate(cells):
        known = expected.cells.get(cell.grade_id)
        if known is not None and (known.kind == cell.kind or known.kind != "code"):
            places.setdefault(cell.grade_id, []).append(i)
    for id, found in places.items():
        ids[_best(cells, found, expected.cells[id])] = id
    return ids


def _best(cells: Sequence[Seen], places: Sequence[int], known: KnownCell) -> int:
    """Of several cells with one id the last one that was written in; the first where none was."""
    written = [i for i in places if not same_text(cells[i].source, known.released)]
    return written[-1] if written and not known.locked else places[0]


def _free(cells: Sequence[Seen], ids: Sequence[str], kind: str) -> list[int]:
    return [i for i, cell in enumerate(cells) if not ids[i] and cell.kind == kind]


def _by_definition(cells: Sequence[Seen], ids: list[str], expected: Expected) -> list[str]:
    """Solution cells by the functions that they define: of several the last without a TODO, else the last."""
    found = []
    for exercise in COURSE:
        if exercise.id not in expected.cells or exercise.id in ids:
            continue
        places = [i for i in _free(cells, ids, "code") if defines(cells[i].source, exercise)]
        if places:
            ids[max(places, key=lambda i: (TODO not in cells[i].source, i))] = exercise.id
            found.append(exercise.id)
    return found


def _by_text(cells: Sequence[Seen], ids: list[str], expected: Expected) -> None:
    """Locked cells by their text, which may be the same in several: in the order of the course, each behind the one before."""
    at = 0
    for id in expected.order:
        known = expected.cells[id]
        if id in ids:
            at = ids.index(id)
        elif known.locked:
            places = (i for i in _free(cells, ids, known.kind) if i >= at and same_text(cells[i].source, known.released))
            if (place := next(places, None)) is not None:
                ids[place], at = id, place


def _by_headings(cells: Sequence[Seen], ids: list[str], expected: Expected) -> list[str]:
    """Written answers by the headings of their template, of which more than half must be there."""
    found = []
    for id, known in expected.cells.items():
        wanted = set(_headings(known.source))
        if id in ids or known.kind != "markdown" or known.locked or not wanted:
            continue
        shares = [(len(wanted & set(_headings(cells[i].source))) / len(wanted), i) for i in _free(cells, ids, "markdown")]
        best = max(shares, default=(0.0, 0))
        if best[0] > 0.5:
            ids[best[1]] = id
            found.append(id)
    return found


def _headings(source: str) -> Iterable[str]:
    return (line.strip() for line in source.splitlines() if line.startswith("#"))


def same_text(one: str, other: str) -> bool:
    """Whether two texts are the same but for blanks at the ends of lines and blank lines around."""
    return _plain(one) == _plain(other)


def _plain(text: str) -> list[str]:
    lines = [line.rstrip() for line in text.splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return lines
