"""What nbgrader runs on each notebook in the places of its own ClearOutput and Execute, and after SaveAutoGrades.

On notebooks of other origin they do what nbgrader's own do, so that a course can have both.
"""

from __future__ import annotations

from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.preprocessors import ClearOutput, Execute, NbGraderPreprocessor

from autograder.gradebook.expected import GRADE, Expected, KnownCell, without_hidden
from autograder.gradebook.exporter import SubmissionExporter
from autograder.language import speaking
from autograder.reports.model import ExerciseReport, Report

Resources = dict[str, Any]
REPORT = "autograder"  # the key of the report in nbconvert's resources


class NotConfigured(Exception):
    """The course's configuration lists a preprocessor of the kit's without the rest."""


def _exporter(preprocessor: NbGraderPreprocessor) -> SubmissionExporter:
    if not isinstance(preprocessor.parent, SubmissionExporter):
        raise NotConfigured("nbgrader_config.py: call `configure(c)` of autograder.gradebook instead of listing its preprocessors")
    return preprocessor.parent


class KeepOutput(ClearOutput):
    """Keeps what students' own cells showed, which the exporter has made safe. Other notebooks lose their outputs."""

    def __call__(self, nb: NotebookNode, resources: Resources) -> tuple[NotebookNode, Resources]:
        if _exporter(self).expected_of(resources).is_the_kits:
            return nb, resources
        return super().__call__(nb, resources)


class GradeInJail(Execute):
    """Grades the student's work outside of the notebook, in a jail, and writes points and report into the cells that carry points.

    Not even `--no-execute` turns it off: what a student saved is no ground for points. Other notebooks are executed.
    """

    def __call__(self, nb: NotebookNode, resources: Resources) -> tuple[NotebookNode, Resources]:
        exporter = _exporter(self)
        expected = exporter.expected_of(resources)
        if not expected.is_the_kits:
            return super().__call__(nb, resources)
        report = exporter.report()
        with speaking(report.language):
            by_cell = {GRADE.format(exercise.id): exercise for exercise in report.exercises}
            for cell in nb.cells:
                known = expected.cells.get(cell.metadata.get("nbgrader", {}).get("grade_id", ""))
                if known is None or not is_automatic(known):
                    continue
                exercise = by_cell.get(known.id)
                cell.outputs = outputs_of(exercise, known.points) if exercise is not None else []
                # The report says what the hidden part would; pages for students have no use for it.
                cell.source = without_hidden(cell.source)
        resources[REPORT] = report
        return nb, resources


def outputs_of(exercise: ExerciseReport, points: float) -> list[NotebookNode]:
    """The report as printed text, and the score in the form in which nbgrader takes it."""
    from autograder.kernel import clipped, in_words

    score = clipped(exercise.score, points)
    return [
        new_output("stream", name="stdout", text=in_words(exercise) + "\n"),
        new_output("execute_result", execution_count=None, data={"text/plain": repr(score)}),
    ]


def is_automatic(known: KnownCell) -> bool:
    """Whether nbgrader takes the points of a cell from its outputs."""
    return known.grade and known.kind == "code" and not known.solution


class LeaveHints(NbGraderPreprocessor):
    """After SaveAutoGrades: the hints become comments under the student's cells, and cells that nobody graded wait for a person."""

    def preprocess(self, nb: NotebookNode, resources: Resources) -> tuple[NotebookNode, Resources]:
        expected = _exporter(self).expected_of(resources)
        if not expected.is_the_kits:
            return nb, resources
        here = resources["nbgrader"]
        where = here["notebook"], here["assignment"], here["student"]
        report: Report = resources[REPORT]
        with Gradebook(here["db_url"]) as gradebook, speaking(report.language):
            for exercise in report.exercises:
                try:
                    comment = gradebook.find_comment(exercise.id, *where)
                except MissingEntry:
                    continue  # a course may have taken the solution cell out
                comment.auto_comment = hints_of(exercise) or (comment.auto_comment if exercise.status in ("todo", "missing") else None)
            for id in unjudged(expected):
                self.log.warning("%s has %g points and is no cell of the kit's: grade it by hand", id, expected.cells[id].points)
                grade = gradebook.find_grade(id, *where)
                grade.auto_score, grade.needs_manual_grade = None, True
            gradebook.db.commit()
        return nb, resources


def unjudged(expected: Expected) -> tuple[str, ...]:
    """Cells with points that nbgrader would run and the kit does not know: a course's own additions to the notebook."""
    known = {GRADE.format(exercise) for exercise in expected.exercises}
    return tuple(cell.id for cell in expected.cells.values() if is_automatic(cell) and cell.points > 0 and cell.id not in known)


def hints_of(exercise: ExerciseReport) -> str:
    """The hints of the misconceptions that an exercise's tests point at, each once, as Markdown; empty where there are none."""
    from autograder.expect import hint_line
    from autograder.misconceptions.catalogue import by_id

    found = dict.fromkeys(test.misconception for test in exercise.tests if test.misconception is not None)
    return "\n\n".join(hint_line(by_id()[id].hint) for id in found)
