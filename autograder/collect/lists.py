"""What became of everything that came in: collected.csv, unmatched.csv and the lines in the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from autograder.collect.collecting import COLLECTED, NEWER_THERE, OLDER, REPLACED, UNCHANGED, UNMATCHED, UNREADABLE, Outcome
from autograder.language import Text, say
from autograder.reports.atomic import write_atomically
from autograder.roster import Listed
from autograder.tables import table_of
from autograder.text import csv_cell, visible

COLLECTED_COLUMNS = ("student", "folder", "assignment", "status", "submitted_utc", "came_as", "file", "notes")
UNMATCHED_COLUMNS = ("came_as", "file", "could_be", "reason")

WORDS = {
    COLLECTED: Text("collected", "已收取"),
    REPLACED: Text("collected in place of an older one", "已收取，替换旧的一份"),
    UNCHANGED: Text("there already", "已在其中"),
    OLDER: Text("older attempts left out", "旧的提交，未收取"),
    NEWER_THERE: Text("not collected, since a newer one is there", "未收取：已有更新的一份"),
    UNREADABLE: Text("not collected, since they cannot be used", "未收取：无法使用"),
    UNMATCHED: Text("matched with no student of the list", "名单中找不到对应的学生"),
}
MOST_NAMED = 20


def write_lists(out: Path, outcomes: Sequence[Outcome]) -> None:
    """Write collected.csv, a row for each submission that came in, and unmatched.csv where there is one that is nobody's."""
    rows = [
        (o.student, o.folder, o.assignment, o.status, _utc(o.time), o.came_as, o.place, " ".join(o.notes))
        for o in sorted(outcomes, key=lambda o: (o.student, o.came_as))
    ]
    _write(out / "collected.csv", COLLECTED_COLUMNS, rows)
    nobodys = [o for o in outcomes if o.status == UNMATCHED]
    if nobodys:
        listed = [(o.came_as, o.place, " ".join(s.id for s in o.possible), " ".join(o.notes)) for o in nobodys]
        _write(out / "unmatched.csv", UNMATCHED_COLUMNS, listed)
    else:
        (out / "unmatched.csv").unlink(missing_ok=True)


def _write(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    write_atomically(path, table_of(columns, ([csv_cell(cell) for cell in row] for row in rows)).text())


def _utc(time: float | None) -> str:
    return "" if time is None else datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d %H:%M:%S")


def told(outcomes: Sequence[Outcome], students: Sequence[Listed]) -> list[str]:
    """The lines for the terminal: how many of each, everything that needs a look, and who of the list handed in nothing."""
    counts = Counter(outcome.status for outcome in outcomes)
    lines = [f"{counts[status]:5} {words}" for status, words in WORDS.items() if counts[status]]
    lines += [_line(outcome) for outcome in outcomes if not outcome.done]
    lines += [_line(outcome) for outcome in outcomes if outcome.done and outcome.folder not in ("", outcome.student)]
    here = {outcome.student for outcome in outcomes}
    absent = [student.id for student in students if student.id not in here]
    if absent:
        named = ", ".join(map(visible, absent[:MOST_NAMED])) + (", …" if len(absent) > MOST_NAMED else "")
        lines.append(
            say(f"Nothing came in from {len(absent)} students of the list: {named}", f"名单中 {len(absent)} 名学生没有提交：{named}")
        )
    return lines


def _line(outcome: Outcome) -> str:
    who = visible(outcome.student or outcome.came_as)
    return f"{who} ({outcome.place}): {visible(' '.join(outcome.notes))}"
