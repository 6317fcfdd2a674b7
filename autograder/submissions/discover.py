"""Finds every student's submission under the paths of the command line. The batch calls `discover`; `shapes` has the rules.

What cannot be read becomes a candidate all the same: opening it says what is wrong, in that student's row.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.language import say
from autograder.limits import Limits
from autograder.submissions import lms, shapes
from autograder.submissions.archives import zip_listing
from autograder.submissions.folders import open_file, overview
from autograder.submissions.kinds import holds_work, is_archive, is_litter, is_python, module_of
from autograder.submissions.model import Candidate, Discovery, Part, Unreadable
from autograder.submissions.names import id_of
from autograder.submissions.notebooks import defines_anything
from autograder.submissions.shapes import Entry
from autograder.submissions.tree import safe_parts, shorten

_DEPTH = 5  # of the glance at a folder: <class>/<student>/<assignment>/<wrapper>/exercises/
_GLANCE = 1 << 20  # bytes of a Python file that are searched for an entry point
_MOST_LISTED = 5


@dataclass(frozen=True)
class _Hit:
    """A candidate, and whether it was given by its own path rather than found within one."""

    candidate: Candidate
    own: bool


def discover(paths: Sequence[Path], limits: Limits) -> Discovery:
    """One candidate per student id, in the order in which they were found.

    A path is one student's folder, archive, notebook or module; a folder with one of these per student; nbgrader's
    submitted tree, or the course folder around it; or the class's zip of Canvas or Moodle, packed or unpacked. How these are
    told apart stands in shapes.py. A student's id is the folder's, the archive's or the bare file's name without suffix; of
    Canvas's and Moodle's names the part that names the student, number included. Hidden files are ignored.

    Two submissions with one id: the newer by the LMS's time stamp, else by the file's time, is kept, with a note. A
    submission given by its own path is never replaced by one found inside another path: what is inside may be a student's.
    """
    notes: list[str] = []
    hits: list[_Hit] = []
    for path in paths:
        hits += _at(path, len(paths) == 1, notes, limits)
    by_id: dict[str, list[_Hit]] = {}
    for hit in hits:
        by_id.setdefault(hit.candidate.student, []).append(hit)
    return Discovery(tuple(_newest(same) for same in by_id.values()), tuple(dict.fromkeys(notes)))


def _newest(hits: list[_Hit]) -> Candidate:
    *others, best = sorted(hits, key=lambda hit: (hit.own, hit.candidate.time))
    others = [hit for hit in others if hit.candidate.path != best.candidate.path or hit.candidate.parts != best.candidate.parts]
    if not others:
        return best.candidate
    where = ", ".join(shorten(_where(hit.candidate)) for hit in others[:_MOST_LISTED])
    taken = shorten(_where(best.candidate))
    note = say(
        f"{len(others) + 1} submissions came in under this id: the newest, {taken}, was graded; ignored: {where}.",
        f"这个学号有 {len(others) + 1} 份提交：按最新的 {taken} 评分；忽略：{where}。",
    )
    return replace(best.candidate, notes=(*best.candidate.notes, note))


def _where(candidate: Candidate) -> str:
    return candidate.member or "/".join(candidate.path.parts[-2:])


def _at(given: Path, alone: bool, notes: list[str], limits: Limits) -> Iterator[_Hit]:
    """What one path of the command line holds."""
    entries: Sequence[Entry]
    path = Path(os.path.realpath(given))
    named = Path(os.path.abspath(given))
    if path.is_dir():
        entries = _entries_of_folder(path, limits)
        shape = shapes.shape_of(named.name, entries, on_disk=True, alone=alone)
        path, entries, shape = _unwrapped(path, entries, shape, limits)
        if shape == shapes.ONE:
            yield _Hit(Candidate(_id_of_path(named, folder=True), path, _time(path, entries)), own=True)
            return
        yield from (_Hit(candidate, own=False) for candidate in _class_on_disk(path, entries, shape, notes, limits))
        return
    found = list(_class_in_zip(path, alone, notes)) if is_archive(path.name) else []
    if found:
        yield from (_Hit(candidate, own=False) for candidate in found)
    else:
        yield _Hit(Candidate(_id_of_path(named, folder=False), path, _time(path, ())), own=True)


def _id_of_path(path: Path, folder: bool) -> str:
    """The id that a path of the command line gives; within nbgrader's submitted tree the student's folder, wherever below it points."""
    above = path.parts[:-1]
    for depth in (2, 3):
        if len(above) >= depth and above[-depth] == "submitted" and (folder or depth == 3):
            return above[-depth + 1]
    name = path.name if folder else id_of(path.name)
    return name or "submission"


def _time(path: Path, entries: Iterable[Entry]) -> float:
    """nbgrader's time stamp where there is one, else the newest file's time, else the path's own."""
    stamp = _stamp(path)
    if stamp is not None:
        return stamp
    times = [entry.time for entry in entries]
    if times:
        return max(times)
    try:
        return path.lstat().st_mtime
    except OSError:
        return 0.0


def _stamp(folder: Path) -> float | None:
    try:
        with open_file(folder / "timestamp.txt") as file:
            return lms.timestamp(file.read(200).decode("utf-8", "replace"))
    except (Unreadable, OSError):
        return None


# on disk


def _entries_of_folder(folder: Path, limits: Limits) -> list[Entry]:
    """The entries of a folder with what lies below them. An entry's time is that of its newest file.

    What the grader itself wrote in an earlier run is no entry.
    """
    entries = []
    for name, when, kind in overview(folder, 0, most=None):
        if kind == "folder" and (folder / name / ".autograder").is_dir() and (folder / name / "grades.csv").is_file():
            continue
        below = list(overview(folder / name, _DEPTH, 2 * limits.archive_members)) if kind == "folder" else []
        defines = kind == "file" and is_python(name) and module_of(name) is None and _defines_anything(folder / name)
        files = [(path, time) for path, time, kind in below if kind != "folder"]
        entries.append(Entry(name, kind, max((time for _, time in files), default=when), tuple(path for path, _ in files), defines))
    return entries


def _defines_anything(path: Path) -> bool:
    """Whether a Python file defines something of the course; one that cannot be read is taken to, so that opening it says why."""
    try:
        with open_file(path) as file:
            return defines_anything(file.read(_GLANCE).decode("utf-8", "replace"))
    except Unreadable:
        return True


def _unwrapped(folder: Path, entries: Sequence[Entry], shape: str, limits: Limits) -> tuple[Path, Sequence[Entry], str]:
    """The class in the one folder that this folder holds, as unpacking a zip leaves it; else what was given."""
    if len(entries) != 1 or not entries[0].is_folder or shape not in (shapes.ONE, shapes.CLASS):
        return folder, entries, shape
    inner = folder / entries[0].name
    below = _entries_of_folder(inner, limits)
    within = shapes.shape_of(inner.name, below, on_disk=True, alone=True)
    plain = within == shapes.CLASS and len(below) > 1 and shape == shapes.ONE and not entries[0].has_work_name(folder.name)
    is_class = plain or within in (shapes.CANVAS, shapes.MOODLE, shapes.SUBMITTED)
    return (inner, below, within) if is_class else (folder, entries, shape)


def _class_on_disk(folder: Path, entries: Sequence[Entry], shape: str, notes: list[str], limits: Limits) -> Iterator[Candidate]:
    if shape == shapes.COURSE_FOLDER:
        name = shorten(folder.name)
        notes.append(
            say(f"{name} is a course folder: what is in its `submitted` was graded.", f"{name} 是课程文件夹：评分的是其中的 submitted。")
        )
        folder = folder / "submitted"
        entries, shape = _entries_of_folder(folder, limits), shapes.SUBMITTED
    if shape == shapes.CANVAS:
        yield from _grouped(folder, ((e.name, lms.canvas(e.name), e.name, e.time) for e in entries))
    elif shape == shapes.MOODLE:
        yield from _moodle_on_disk(folder, entries)
    else:
        for entry in entries:
            if shape == shapes.SUBMITTED and entry.is_folder:
                yield from _submitted(folder / entry.name, entry, limits)
            elif entry.is_folder or entry.kind in ("link", "other") or entry.is_work:
                student = entry.name if entry.is_folder else id_of(entry.name)
                path = folder / entry.name
                yield Candidate(student, path, _time(path, (entry,)))
    _note_aside([e.name for e in entries if _is_nobodys(e.name, shape, e.kind == "file", e.is_work)], notes)


def _is_nobodys(name: str, shape: str, is_file: bool, is_work: bool) -> bool:
    """Whether an entry of a class is no student's, by the names of the system that the class comes from."""
    if shape == shapes.CANVAS:
        return lms.canvas(name) is None
    if shape == shapes.MOODLE:
        return lms.moodle(name) is None
    return is_file and not is_work


def _note_aside(names: Sequence[str], notes: list[str]) -> None:
    if names:
        listed = ", ".join(map(shorten, names[:_MOST_LISTED])) + (", …" if len(names) > _MOST_LISTED else "")
        notes.append(say(f"No submissions, and left aside: {listed}.", f"不是提交，已忽略：{listed}。"))


def _submitted(folder: Path, entry: Entry, limits: Limits) -> Iterator[Candidate]:
    """One student of nbgrader's tree: a candidate for each of the assignments that may be this course's."""
    direct = holds_work(path for path in entry.inside if "/" not in path)
    assignments: dict[str, list[str]] = {}
    for path in entry.inside:
        name, slash, rest = path.partition("/")
        if slash:
            assignments.setdefault(name, []).append(rest)
    if direct or not assignments:
        yield Candidate(entry.name, folder, _time(folder, (entry,)))
        return
    ours = [name for name in assignments if name.casefold().startswith("attention")]
    ours = ours or [name for name, files in assignments.items() if holds_work(files)] or list(assignments)
    for name in ours:
        assignment = folder / name
        yield Candidate(entry.name, assignment, _time(assignment, _entries_of_folder(assignment, limits)))


def _moodle_on_disk(folder: Path, entries: Sequence[Entry]) -> Iterator[Candidate]:
    """Moodle's zip, unpacked. Text typed into Moodle counts only for those who handed in no file."""
    folders: dict[str, list[Entry]] = {}
    loose = []
    for entry in entries:
        owned = lms.moodle(entry.name)
        if owned is None:
            continue
        if entry.kind == "file":
            loose.append((entry.name, owned, owned.own or entry.name, entry.time))
        else:
            folders.setdefault(owned.student, []).append(entry)
    for student, same in folders.items():
        entry = max(same, key=lambda entry: ("_assignsubmission_file" in entry.name, entry.name))
        yield Candidate(student, folder / entry.name, entry.time)
    yield from _grouped(folder, ((name, owned, own, when) for name, owned, own, when in loose))


# an LMS's names


def _grouped(path: Path, files: Iterable[tuple[str, lms.Owned | None, str, float]]) -> Iterator[Candidate]:
    """The files of a class by student: (name in the class, whose, path in the submission, time)."""
    by_student: dict[str, list[tuple[str, lms.Owned, str, float]]] = {}
    for name, owned, place, when in files:
        if owned is not None:
            by_student.setdefault(owned.student, []).append((name, owned, place if owned.own == "" else owned.own, when))
    for student, same in by_student.items():
        parts = tuple(Part(name, place) for name, _, place, _ in sorted(same, key=lambda item: item[0]))
        notes = (say("Canvas marks this submission as late.", "Canvas 标记这份提交为迟交。"),) if any(o.late for _, o, _, _ in same) else ()
        yield Candidate(student, path, max(when for *_, when in same), parts[0].entry, notes, parts)


def _class_in_zip(path: Path, alone: bool, notes: list[str]) -> Iterator[Candidate]:
    """The students of a class's zip; none where it is one student's, or cannot be read."""
    try:
        with open_file(path) as file:
            whole = zip_listing(file)
    except (Unreadable, OSError):
        return
    listing = _clean(whole)
    entries = _entries_of_zip(listing)
    shape = shapes.shape_of(id_of(path.name), entries, on_disk=False, alone=alone)
    if shape == shapes.ONE and len(entries) == 1 and entries[0].is_folder:
        top = entries[0].name
        listing = [(place[len(top) + 1 :], name, when) for place, name, when in listing if place != f"{top}/"]
        entries = _entries_of_zip(listing)
        shape = shapes.shape_of(top, entries, on_disk=False, alone=alone)
    if shape != shapes.ONE:
        nobodys = [e.name for e in entries if _is_nobodys(e.name, shape, not e.is_folder, is_work=False)]
        _note_aside([*nobodys, *(name for name, _ in whole if _outermost(name) in ("", ".."))], notes)
    if shape == shapes.CANVAS:
        yield from _grouped(path, ((name, lms.canvas(place), place, when) for place, name, when in listing if "/" not in place))
    elif shape == shapes.MOODLE:
        yield from _moodle_in_zip(path, listing)
    elif shape == shapes.CLASS:
        owned = ((name, *place.partition("/")[::2], when) for place, name, when in listing)
        yield from _grouped(path, ((name, lms.Owned(who, rest), rest, when) for name, who, rest, when in owned if who))


def _moodle_in_zip(path: Path, listing: Sequence[tuple[str, str, float]]) -> Iterator[Candidate]:
    files: list[tuple[str, lms.Owned, str, float]] = []
    typed: list[tuple[str, lms.Owned, str, float]] = []
    for place, name, when in listing:
        folder, slash, rest = place.partition("/")
        owned = lms.moodle(folder)
        if owned is None:
            continue
        own = rest if slash else owned.own or folder
        item = (name, replace(owned, own=own), own, when)
        (typed if "_assignsubmission_file" not in folder else files).append(item)
    handed_in = {owned.student for _, owned, _, _ in files}
    yield from _grouped(path, [*files, *(item for item in typed if item[1].student not in handed_in)])


def _clean(listing: Iterable[tuple[str, float]]) -> list[tuple[str, str, float]]:
    """(normal path, name in the zip, time) of what is neither litter nor hidden.

    A name that must be refused stays as it is where a student's comes first in it: reading it says so, in that student's row.
    """
    cleaned = []
    for name, when in listing:
        try:
            parts = safe_parts(name)
        except Unreadable:
            parts = tuple(name.split("/")) if _outermost(name) not in ("", "..") else ()
        if parts and not is_litter(parts):
            cleaned.append(("/".join(parts).rstrip("/") + "/" * name.endswith("/"), name, when))
    return cleaned


def _outermost(name: str) -> str:
    """The first part of a name in a zip; empty where the name is absolute."""
    return next((part for part in name.split("/") if part != "."), ".")


def _entries_of_zip(listing: Sequence[tuple[str, str, float]]) -> list[Entry]:
    folders: dict[str, list[tuple[str, float]]] = {}
    files: list[Entry] = []
    for place, _, when in listing:
        name, slash, rest = place.partition("/")
        if slash:
            folders.setdefault(name, []).append((rest, when))
        elif name:
            files.append(Entry(name, "file", when))
    found = [
        Entry(name, "folder", max(when for _, when in inside), tuple(rest for rest, _ in inside if rest and not rest.endswith("/")))
        for name, inside in folders.items()
    ]
    return sorted((*found, *files), key=lambda entry: entry.name)
