"""Gradescope's results.json, as its autograder harness reads it.

Source: gradescope-autograders.readthedocs.io, "Autograder Specifications", Output Format. A top-level score overrides the sum of the
tests; a test whose score is above its maximum, here of 0, is extra credit. `status` is passed or failed; what is printed
(stdout) stays with the instructor.
"""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

from autograder.export.graded import Class, Graded
from autograder.export.told import told
from autograder.reports.feedback import next_step
from autograder.reports.model import ExerciseReport, TestResult
from autograder.reports.words import word
from autograder.text import visible

VISIBLE, HIDDEN = "visible", "hidden"


def results(graded: Graded, bonus: bool) -> str:
    """The text of one student's results.json. ValueError for a submission that could not be graded: Gradescope knows no blank score.

    bonus: bonus exercises are extra credit; without it they are listed and count nothing.
    """
    if graded.is_error:
        raise ValueError(f"{graded.student} has no score")
    report, messages = graded.report, told(graded)
    tests = [
        _test(exercise, test, f"{n}.{k}", messages.tests.get((exercise.id, test.id), ""), bonus)
        for n, exercise in enumerate(report.exercises, 1)
        for k, test in enumerate(exercise.tests, 1)
    ]
    data = {
        "score": round(report.score + (report.bonus if bonus else 0.0), 6),
        "output": visible(next_step(report)),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": VISIBLE,
        "stdout_visibility": HIDDEN,
        "tests": tests,
    }
    return json.dumps(data, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def _test(exercise: ExerciseReport, test: TestResult, number: str, message: str, bonus: bool) -> dict[str, Any]:
    scores: dict[str, float] = {"score": test.earned, "max_score": test.points}
    if exercise.bonus:
        scores = {"score": test.earned, "max_score": 0.0} if bonus else {}
    return {
        **scores,
        "status": "passed" if test.status == "passed" else "failed",
        "name": visible(f"{exercise.title}: {test.title}"),
        "number": number,
        "output": message or word(test.status),
        "output_format": "text",
        "visibility": VISIBLE,
        "extra_data": {"exercise": exercise.id, "test": test.id, "status": test.status},
    }


def every_result(graded: Class, bonus: bool) -> dict[str, str]:
    """The results of a class: <the folder of the student's report>/results.json -> text. Who has no score has no results."""
    return {f"{student.folder.name}/results.json": results(student, bonus) for student in graded.students if not student.is_error}


def zipped(files: dict[str, str]) -> bytes:
    """The same files as a zip."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, text in sorted(files.items()):
            bundle.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), text)
    return out.getvalue()
