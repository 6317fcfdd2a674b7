"""Collects: finds every submission, matches it with a student, makes its notebook, and puts it into the submitted tree.

One that cannot be read, matched or written is reported and never stops the others. The command calls `collect`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from autograder.collect import fill, tree
from autograder.collect.origin import sender, submission_times, where
from autograder.collect.released import NotReleased, Released, assignment_of, assignments, released
from autograder.language import say
from autograder.limits import Limits
from autograder.roster import Listed, Roster
from autograder.submissions import Candidate, Submission, Unreadable, open_submission
from autograder.submissions.kinds import EXERCISES
from autograder.submissions.layout import TIMESTAMP
from autograder.submissions.tree import shorten

# What became of a submission. The first three are in the tree.
COLLECTED, REPLACED, UNCHANGED = "collected", "replaced", "unchanged"
OLDER, NEWER_THERE, UNREADABLE, UNMATCHED = "older", "newer there", "unreadable", "unmatched"
DONE = frozenset((COLLECTED, REPLACED, UNCHANGED, OLDER))


@dataclass(frozen=True)
class Wanted:
    """What the command line asks for. assignment: None takes each notebook's own. release: nbgrader's folder."""

    out: Path
    assignment: str | None = None
    release: Path | None = None
    roster: Roster | None = None
    force: bool = False


@dataclass(frozen=True)
class Outcome:
    """What became of one submission. came_as: the id that the LMS or the file's name gave it; folder: the one in the tree."""

    came_as: str
    place: str
    status: str
    student: str = ""
    folder: str = ""
    assignment: str = ""
    time: float | None = None  # when it was handed in, where that is known
    notes: tuple[str, ...] = ()
    possible: tuple[Listed, ...] = ()

    @property
    def done(self) -> bool:
        return self.status in DONE


def collect(candidates: Sequence[Candidate], wanted: Wanted, limits: Limits) -> Iterator[Outcome]:
    """What became of each submission, in the order in which they are done. Raises NotReleased before anything is written."""
    course = _Course(wanted)
    wanted.out.mkdir(parents=True, exist_ok=True)
    tree.tidy(wanted.out)
    times = submission_times(candidates)
    by_student: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        outcome = _matched(candidate, wanted.roster)
        if outcome.status == UNMATCHED:
            yield outcome
        else:
            by_student.setdefault(outcome.student, []).append(candidate)
    for student, attempts in by_student.items():
        *older, latest = sorted(attempts, key=lambda attempt: attempt.time)
        for attempt in older:
            note = say(f"A newer one was collected: {shorten(latest.student)}.", f"收取了更新的一份：{shorten(latest.student)}。")
            yield Outcome(attempt.student, where(attempt), OLDER, student, tree.student_folder(student), notes=(note,))
        yield _collected(latest, student, times.get(latest), course, wanted, limits)


class _Course:
    """The assignments as they are needed; the first one at once, so that a release that is not there stops everything early."""

    def __init__(self, wanted: Wanted):
        self.wanted = wanted
        self.made: dict[str, Released] = {}
        self.of(wanted.assignment or assignments()[0])

    def of(self, assignment: str) -> Released:
        """The release of one assignment: the folder that was named, else nbgrader's beside the tree, else made from source/."""
        if assignment not in self.made:
            beside = self.wanted.out.absolute().parent / "release"
            folder = self.wanted.release or (beside if (beside / assignment).is_dir() else None)
            self.made[assignment] = released(assignment, folder)
        return self.made[assignment]

    @cached_property
    def there(self) -> list[Released]:
        """The assignments that are released."""
        found = []
        for assignment in assignments():
            try:
                found.append(self.of(assignment))
            except NotReleased:  # a course may use one language only
                continue
        return found


def _matched(candidate: Candidate, roster: Roster | None) -> Outcome:
    """The student whose submission it is; without a list whoever the grader takes them for."""
    outcome = Outcome(candidate.student, where(candidate), COLLECTED, candidate.student)
    if roster is None:
        return outcome
    match = roster.find(sender(candidate))
    if match.student is not None:
        return replace(outcome, student=match.student.id)
    if match.possible:
        listed = ", ".join(shorten(student.id) for student in match.possible[:5])
        note = say(f"It could be from more than one student: {listed}.", f"可能来自不止一名学生：{listed}。")
    else:
        note = say("No student of the list has this id, number or name.", "名单中没有学生有这个学号、编号或姓名。")
    return replace(outcome, student="", status=UNMATCHED, notes=(note,), possible=match.possible)


def _collected(candidate: Candidate, student: str, time: float | None, course: _Course, wanted: Wanted, limits: Limits) -> Outcome:
    folder = tree.student_folder(student)
    outcome = Outcome(candidate.student, where(candidate), COLLECTED, student, folder, time=time)
    try:
        submission = open_submission(candidate, limits, keep_notebook=True)
    except Unreadable as error:
        return replace(outcome, status=UNREADABLE, notes=(*candidate.notes, str(error)))
    notes = submission.notes
    if folder != student:
        notes = (
            *notes,
            say(f"nbgrader cannot take this id; there the student is {folder}.", f"nbgrader 不能用这个学号；在那里该学生是 {folder}。"),
        )
    release = _release_of(submission, course, wanted)
    files = _files(submission, release, time)
    outcome = replace(outcome, assignment=release.assignment, notes=notes)
    if len(files[f"{release.assignment}.ipynb"]) > limits.notebook_bytes:
        return replace(outcome, status=UNREADABLE, notes=(*notes, _too_long()))
    return _put(outcome, files, candidate.time, wanted)


def _release_of(submission: Submission, course: _Course, wanted: Wanted) -> Released:
    """The assignment that was asked for, else the one that the notebook came from, else the first one."""
    if wanted.assignment is None and submission.notebook:
        cells = fill.cells_of(fill.parsed(submission.notebook))
        return course.of(assignment_of(cells, course.there))
    return course.of(wanted.assignment or assignments()[0])


def _files(submission: Submission, release: Released, time: float | None) -> dict[str, bytes]:
    """All that lies in the student's folder: path -> content. Where a student's file and the kit's want one place, the kit's is there."""
    if submission.notebook:
        notebook = fill.as_it_came(release, submission.notebook, submission.files)
    elif submission.cells:
        notebook = fill.from_cells(release, submission.cells, submission.files)
    else:
        notebook = fill.from_modules(release, submission.files)
    package = f"{EXERCISES}/__init__.py"
    support = {path: data for path, data in release.support.items() if path != package or package not in submission.files}
    ours = {f"{release.assignment}.ipynb": notebook, **support}
    if time is not None:
        ours[TIMESTAMP] = tree.stamp(time)
    theirs = {path: data for path, data in submission.files.items() if path not in ours and not _in_the_way(path, ours)}
    return {**theirs, **ours}


def _in_the_way(path: str, ours: dict[str, bytes]) -> bool:
    """Whether a file lies where one of ours has a folder, or in a folder where one of ours is a file."""
    return any(our.startswith(f"{path}/") or path.startswith(f"{our}/") for our in ours)


def _put(outcome: Outcome, files: dict[str, bytes], time: float, wanted: Wanted) -> Outcome:
    """Put it into the tree, unless what is there is newer."""
    there = wanted.out / outcome.folder / outcome.assignment
    try:
        before = tree.time_of(there)
        if before is not None and before >= time - tree.SAME_SECONDS and tree.holds(there, files):
            return replace(outcome, status=UNCHANGED)
        if before is not None and before > time + tree.SAME_SECONDS and not wanted.force:
            note = say("A newer one is there; --force puts this one in its place.", "已有更新的一份；用 --force 可以替换。")
            return replace(outcome, status=NEWER_THERE, notes=(*outcome.notes, note))
        tree.put(wanted.out, outcome.folder, outcome.assignment, files, time)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        note = say(f"It cannot be written ({reason}).", f"无法写入（{reason}）。")
        return replace(outcome, status=UNREADABLE, notes=(*outcome.notes, note))
    return replace(outcome, status=COLLECTED if before is None else REPLACED)


def _too_long() -> str:
    return say("Its modules are too long for a notebook: ask for code alone.", "模块太长，放不进笔记本：请让学生只提交代码。")
