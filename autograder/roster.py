"""Who is who: finds the student of a class list that a submission is from, by the name that an LMS gave it.

`collect` matches what came in with nbgrader's students, `export` matches reports with the rows of an LMS's gradebook. What
is ambiguous stays unmatched, with the students whom it could be: nobody is guessed.
"""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.language import say
from autograder.submissions import folder_name
from autograder.tables import BadTable, read_table

CANVAS, MOODLE = "canvas", "moodle"

_NUMBERED = re.compile(r"(?P<name>.*\S)_(?P<number>\d+)", re.DOTALL)
_SQLITE = b"SQLite format 3\0"
_COLUMNS = ("id", "first_name", "last_name", "email", "lms_user_id")  # of nbgrader's student list and of its gradebook


@dataclass(frozen=True)
class Listed:
    """One student of a class list. `others`: further ids that are theirs and nobody else's."""

    id: str
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    lms_user_id: str = ""
    others: tuple[str, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """Their whole name as it can be compared, whichever part comes first."""
        return frozenset((comparable(self.last_name + self.first_name), comparable(self.first_name + self.last_name))) - {""}


@dataclass(frozen=True)
class Who:
    """Whom a submission says that it is from. system: the LMS that wrote so, empty where it is just an id.

    name, number: of Canvas the sortable name and the user's id; of Moodle the full name and the participant's number.
    """

    shown: str
    system: str = ""
    name: str = ""
    number: str = ""


def who(shown: str, system: str = "") -> Who:
    """An id as `autograder grade` gives it, taken apart as this LMS puts it together: `lovelaceada_12`, `Ada Lovelace_12`."""
    found = _NUMBERED.fullmatch(shown) if system else None
    return Who(shown, system, found["name"], found["number"]) if found else Who(shown)


@dataclass(frozen=True)
class Match:
    """The student, or None with the students whom it could be."""

    student: Listed | None
    possible: tuple[Listed, ...] = ()


def comparable(name: str) -> str:
    """A name as Canvas writes it into file names: letters and digits only, in lower case; accents stay."""
    return "".join(c for c in unicodedata.normalize("NFKC", name).casefold() if c.isalnum())


class Roster:
    """A class list. numbers_from: the LMS whose numbers are the list's `lms_user_id`.

    own_names: the list is that LMS's own, so that its names are written as those of the submissions, and a number with another
    name is somebody's else.
    """

    def __init__(self, students: Iterable[Listed], numbers_from: str = CANVAS, *, own_names: bool = False):
        self.students = tuple(students)
        self.numbers_from = numbers_from
        self.own_names = own_names
        self._by_id = self._index(lambda s: (s.id, *s.others))
        self._by_number = self._index(lambda s: (s.lms_user_id,))
        self._by_name = self._index(lambda s: s.names)
        # What a person may have called a folder: the name of a report's, an id in other letters, an address.
        self._by_folder = self._index(lambda s: (folder_name(s.id),))
        self._by_letters = self._index(lambda s: {other.casefold() for other in (s.id, *s.others)})
        self._by_email = self._index(lambda s: (s.email.casefold(),))

    def _index(self, keys: Callable[[Listed], Iterable[str]]) -> dict[str, list[Listed]]:
        found: dict[str, list[Listed]] = {}
        for student in self.students:
            for key in keys(student):
                if key:
                    found.setdefault(key, []).append(student)
        return found

    def find(self, sought: Who) -> Match:
        """Whose submission it is. An id of the list, letter by letter, settles it; the LMS's number and the name must not disagree."""
        shown = sought.shown
        if shown in self._by_id:
            return _match(self._by_id[shown])
        if sought.system:
            numbered = self._by_number.get(sought.number, [])
            named = self._by_name.get(comparable(sought.name), [])
            found = self._numbered(numbered, named) if sought.system == self.numbers_from else _named(numbered, named)
            if found.student is not None or found.possible:
                return found
        for index, key in (
            (self._by_folder, shown),
            (self._by_letters, shown.casefold()),
            (self._by_email, shown.casefold()),
            (self._by_number, shown),
            (self._by_name, comparable(shown)),
        ):
            if key in index:
                return _match(index[key])
        return Match(None)

    def _numbered(self, numbered: Sequence[Listed], named: Sequence[Listed]) -> Match:
        """By a number that identifies, also after a change of name; but not where the name is that of another student of the list."""
        both = [student for student in numbered if student in named]
        if both:
            return _match(both)
        if numbered:
            doubtful = self.own_names and any(student.names for student in numbered)
            return Match(None, tuple(numbered)) if doubtful else _match([*numbered, *named])
        return _match([student for student in named if not student.lms_user_id])  # a namesake with another number is somebody else


def _named(numbered: Sequence[Listed], named: Sequence[Listed]) -> Match:
    """By a name beside a number that means nothing for sure: it tells namesakes apart, and is no reason by itself."""
    both = [student for student in named if student in numbered]
    if len(named) > 1 and len(both) == 1:
        return Match(both[0])
    return _match(named)


def _match(found: Sequence[Listed]) -> Match:
    return Match(found[0]) if len(found) == 1 else Match(None, tuple(found))


# where a list comes from


def read_students(path: Path) -> tuple[Listed, ...]:
    """The students of nbgrader's list (as `nbgrader db student import` takes it), or of a gradebook.db. Raises BadTable."""
    try:
        with open(path, "rb") as file:
            is_gradebook = file.read(len(_SQLITE)) == _SQLITE
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise BadTable(say(f"{path} cannot be read ({reason}).", f"无法读取 {path}（{reason}）。")) from None
    return _from_gradebook(path) if is_gradebook else _from_list(path)


def _from_gradebook(path: Path) -> tuple[Listed, ...]:
    # Not by nbgrader's own class: that one makes tables where it finds none, and opens for writing.
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        try:
            rows = connection.execute(f"SELECT {', '.join(_COLUMNS)} FROM student ORDER BY id").fetchall()
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise BadTable(say(f"{path} is no gradebook of nbgrader's ({error}).", f"{path} 不是 nbgrader 的成绩数据库（{error}）。")) from None
    return tuple(_listed(["" if value is None else str(value) for value in row]) for row in rows)


def _listed(values: Sequence[str]) -> Listed:
    student, first_name, last_name, email, lms_user_id = values
    return Listed(student, first_name, last_name, email, lms_user_id)


def _from_list(path: Path) -> tuple[Listed, ...]:
    table = read_table(path)
    places = [table.place(name) for name in _COLUMNS]
    if places[0] is None:
        columns = ", ".join(_COLUMNS)
        raise BadTable(
            say(
                f"{path} has no column `id`: a list of students has the columns {columns}, and only the first must be there.",
                f"{path} 没有 id 这一列：学生名单的列是 {columns}，其中只有第一列必须有。",
            )
        )
    students: dict[str, Listed] = {}
    for row in table.rows:
        student = _listed([row[place].strip() if place is not None and place < len(row) else "" for place in places])
        if student.id in students:
            raise BadTable(
                say(f"{path} has the id {student.id} twice: remove one.", f"{path} 中学号 {student.id} 出现了两次：请删去一个。")
            )
        if student.id:
            students[student.id] = student
    return tuple(students.values())
