"""Opens for `nbgrader autograde` what students handed in: finds renamed notebooks, reads odd encodings, and says what cannot be read.

nbgrader makes one exporter for each run, and reads every notebook through it twice: as it was handed in, and once it is in order.
`configure` puts this one in the place of nbconvert's.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbgrader.apps import AutogradeApp
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException

from autograder.content.deliverable import HAND_IN
from autograder.content.layout import ASSIGNMENTS
from autograder.content.notebooks import grade_id_of
from autograder.course import COURSE, first_flaw
from autograder.gradebook.expected import GRADE, Expected, expected, notebooks_of
from autograder.gradebook.grading import JailedGrading, Ungraded
from autograder.gradebook.handed_in import HandedIn, has_notebook, read_handed_in
from autograder.gradebook.repair import rebuild
from autograder.jail import JailUnavailable
from autograder.language import say, speaking
from autograder.limits import DEFAULT
from autograder.reports.model import Report
from autograder.submissions import Unreadable
from autograder.text import visible

if TYPE_CHECKING:
    from autograder.pool import Job

WORTH_PROCESSES = 4  # so many students take no longer in this process than others need to start


class SubmissionExporter(NotebookExporter):
    """The exporter of one run of `nbgrader autograde`. `job`: the grading of the notebook that is being converted."""

    job: Job | None = None

    def __init__(self, **kw: Any):
        super().__init__(**kw)
        self.expected = cache(expected)
        self.grading = JailedGrading(parent=self)
        if isinstance(self.parent, Autograde):
            self._look_over(self.parent)

    def expected_of(self, resources: dict[str, Any]) -> Expected:
        """What the gradebook knows about the notebook that is being converted."""
        here = resources["nbgrader"]
        return self.expected(here["db_url"], here["assignment"], here["notebook"])

    def from_filename(self, filename: str, resources: dict[str, Any] | None = None, **kw: Any) -> tuple[NotebookNode, dict[str, Any]]:
        """The notebook in this file; on the way in from submitted/ one that is in order, made from all that is in its folder."""
        if resources is None or not isinstance(self.parent, Autograde) or "nbgrader" not in resources:
            return super().from_filename(filename, resources, **kw)
        here, course = resources["nbgrader"], self.parent.coursedir
        folder = Path(course.format_path(course.submitted_directory, here["student"], here["assignment"]))
        if Path(filename).parent != folder or not self.expected_of(resources).is_the_kits:
            return super().from_filename(filename, resources, **kw)
        resources["metadata"] = {"name": here["notebook"], "path": str(folder)}
        return self.from_notebook_node(self._opened(folder, resources), resources, **kw)

    def report(self) -> Report:
        """What the grader says about the notebook that is being converted. Raises Ungraded."""
        assert self.job is not None
        return self.grading.report(self.job)

    def _opened(self, folder: Path, resources: dict[str, Any]) -> NotebookNode:
        here, wanted = resources["nbgrader"], self.expected_of(resources)
        with speaking(wanted.language):
            try:
                handed_in = self._read(folder, here)
            except Unreadable as error:
                problem = say(f"not graded. {error}", f"未评分。{error}")
                self.log.error("%s, %s: %s", here["student"], here["assignment"], visible(problem))
                raise Ungraded(problem) from None
            rebuilt = rebuild(handed_in, wanted, DEFAULT)
        for note in rebuilt.notes:
            self.log.warning("%s, %s: %s", here["student"], here["assignment"], visible(note))
        self.job = self._job(folder, here, handed_in)
        return rebuilt.notebook

    def _read(self, folder: Path, here: dict[str, Any]) -> HandedIn:
        others = set(notebooks_of(here["db_url"], here["assignment"])) - {here["notebook"]}
        return read_handed_in(folder, here["student"], here["notebook"], others, DEFAULT)

    def _job(self, folder: Path, here: dict[str, Any], handed_in: HandedIn) -> Job:
        wanted = self.expected(here["db_url"], here["assignment"], here["notebook"])
        return self.grading.job(str(folder / here["notebook"]), handed_in.submission, wanted, Path(self.parent.coursedir.root))

    # Before the first student.

    def _look_over(self, converter: Autograde) -> None:
        """Is there a jail, whose notebook has another name, and who has none? Then the graders begin."""
        course = converter.coursedir
        names = notebooks_of(course.db_url, course.assignment_id)
        ours = [name for name in names if self.expected(course.db_url, course.assignment_id, name).is_the_kits]
        if not names and course.assignment_id in ASSIGNMENTS.values():  # released by `autograder release`, say, which has no gradebook
            self._give_up(f"the gradebook does not know it yet: run `nbgrader generate_assignment {course.assignment_id} --force` first")
        if not ours:
            return
        if flaw := first_flaw():
            self._give_up(flaw)
        try:
            self.grading.require_jail()
        except JailUnavailable as error:
            self._give_up(str(error))
        # The prompt may be written in its file; nbgrader would put the empty template in its place.
        kept = converter.exclude_overwriting.get(course.assignment_id, [])
        converter.exclude_overwriting = {**converter.exclude_overwriting, course.assignment_id: [*kept, HAND_IN]}
        if course.notebook_id == "*":
            self._find_lost(converter, names, ours)
        # Elsewhere, in formgrader say, autograde is for one student, and a process of the caller's might not bear being copied.
        waiting = self._waiting(converter, ours)
        if isinstance(converter.parent, AutogradeApp) and len(waiting) > WORTH_PROCESSES:
            self.grading.look_ahead(tuple(waiting), lambda key: self._job_ahead(Path(key).parent, waiting[key]))

    def _give_up(self, why: str) -> NoReturn:
        self.log.error("%s", why)
        raise NbGraderException(why) from None

    def _find_lost(self, converter: Autograde, names: Sequence[str], ours: Sequence[str]) -> None:
        """Have nbgrader come to notebooks of another name or place, and say who has none."""
        course = converter.coursedir
        for folder in sorted(glob.glob(course.format_path(course.submitted_directory, course.student_id, course.assignment_id))):
            found = [os.path.basename(path).removesuffix(".ipynb") for path in converter.assignments.get(folder, [])]
            lost = [name for name in ours if name not in found]
            if not lost:
                continue
            if found or has_notebook(Path(folder)):
                # Names of files that need not exist: `from_filename` looks for what they should hold.
                known = [name for name in found if name in names]
                converter.assignments[folder] = [os.path.join(folder, f"{name}.ipynb") for name in (*known, *lost)]
            else:
                told = say(
                    "not graded, there is no notebook in it. Run `autograder collect` on what came in: it makes notebooks of modules "
                    "and archives.",
                    "未评分，其中没有笔记本。请对收到的文件运行 `autograder collect`，它会把模块和压缩包整理成笔记本。",
                )
                self.log.error("%s: %s", visible(folder), told)

    def _waiting(self, converter: Autograde, ours: Sequence[str]) -> dict[str, dict[str, Any]]:
        """The notebooks of ours that nbgrader will convert, in its order, by the keys of their jobs; without those that it may leave."""
        waiting = {}
        for folder in sorted(converter.assignments):
            for filename in sorted(converter.assignments[folder]):
                here = converter.init_single_notebook_resources(filename)["nbgrader"]
                if here["notebook"] not in ours or here["student"] in converter.coursedir.student_id_exclude.split(","):
                    continue
                done = Path(converter._format_dest(here["assignment"], here["student"]))
                if converter.force or not done.exists():
                    waiting[str(Path(filename)).removesuffix(".ipynb")] = here
                elif not is_whole(done / f"{here['notebook']}.ipynb"):
                    told = say(
                        "half graded, by a run that was killed, and left as it is: run again with --force and --student for this one.",
                        "只评了一半（上次运行被强行终止），保持原样：请加上 --force 和 --student 对该学生重新运行。",
                    )
                    self.log.warning("%s, %s: %s", here["student"], here["assignment"], told)
        return waiting

    def _job_ahead(self, folder: Path, here: dict[str, Any]) -> Job | None:
        """The job for a notebook that nbgrader has not come to; None where there will be something to tell when it does."""
        try:
            with speaking(self.expected(here["db_url"], here["assignment"], here["notebook"]).language):
                return self._job(folder, here, self._read(folder, here))
        except Exception:  # it must not stop the student whose turn it is
            return None


def is_whole(graded: Path) -> bool:
    """Whether a notebook in autograded/ has been graded to the end: nbgrader takes a folder that is there for one that is done."""
    try:
        cells = nbformat.read(graded, as_version=4).cells
    except (OSError, ValueError, KeyError, AttributeError):
        return False
    ids = {GRADE.format(exercise.id) for exercise in COURSE}
    return all(cell.get("outputs") for cell in cells if grade_id_of(cell) in ids)
