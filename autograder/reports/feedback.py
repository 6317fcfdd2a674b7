"""feedback.html: what a student reads after grading. `files.write_report` calls it.

Only titles, statuses, points, each test's `feedback` and the note on the deadline come in; `message`, other notes, printed text and the
seed stay with the instructor.
"""

from __future__ import annotations

from dataclasses import dataclass

from autograder.language import say, speaking
from autograder.reports.late import late_notes
from autograder.reports.model import ExerciseReport, Report, TestResult
from autograder.reports.pages import render
from autograder.text import cut, visible

HINTS = ("Hint:", "提示：")


@dataclass(frozen=True)
class ShownTest:
    """A test as the page shows it: what was called, came back and should hold, a line each; then the hint."""

    title: str
    status: str
    points: float
    earned: float
    lines: tuple[str, ...] = ()
    hint: str = ""
    held_back: bool = False  # right, but it counts only with right values


@dataclass(frozen=True)
class ShownExercise:
    """An exercise as the page shows it. `shared` is said once where every test says the same, as for an unwritten stub."""

    id: str
    title: str
    status: str
    score: float
    max_score: float
    bonus: bool
    shared: ShownTest | None
    tests: tuple[ShownTest, ...]


def feedback_html(report: Report) -> str:
    """The page for the student, in the report's language."""
    with speaking(report.language):
        return render(
            "feedback.html",
            student=report.student,
            graded=report.status != "error",
            score=report.score,
            max_score=report.max_score,
            bonus=report.bonus,
            bonus_max=sum(exercise.max_score for exercise in report.exercises if exercise.bonus),
            exercises=[_shown_exercise(exercise) for exercise in report.exercises],
            next_step=next_step(report),
            late=late_notes(report.notes),
        )


def _shown_exercise(exercise: ExerciseReport) -> ShownExercise:
    texts = {test.feedback for test in exercise.tests}
    alike = len(exercise.tests) > 1 and len(texts) == 1 and texts != {""}
    return ShownExercise(
        id=exercise.id,
        title=exercise.title,
        status=exercise.status,
        score=exercise.score,
        max_score=exercise.max_score,
        bonus=exercise.bonus,
        shared=_shown_test(exercise.tests[0]) if alike else None,
        tests=tuple(_shown_test(test, told=not alike) for test in exercise.tests),
    )


def _shown_test(test: TestResult, *, told: bool = True) -> ShownTest:
    lines = [line.strip() for line in cut(visible(test.feedback, lines=True)).split("\n") if line.strip()] if told else []
    start = next((i for i, line in enumerate(lines) if line.startswith(HINTS)), len(lines))
    hint = " ".join(lines[start:])
    for label in HINTS:
        hint = hint.removeprefix(label).strip()
    held_back = test.status == "passed" and test.earned < test.points
    return ShownTest(test.title, test.status, test.points, test.earned, tuple(lines[:start]), hint, held_back)


def next_step(report: Report) -> str:
    """What to do next, in a sentence or two: the first exercise of the course that is not passed, bonus ones last."""
    if report.status == "error":
        return say(
            "Ask your instructor: the reason is in their report. Nothing has been counted as wrong.",
            "请联系老师：原因写在老师的报告里。没有任何一题被判错。",
        )
    due = sorted((e for e in report.exercises if e.status != "passed"), key=lambda exercise: exercise.bonus)
    if not due:
        return say("Everything is right. Nothing is left to do.", "全部正确，没有需要再做的了。")
    exercise = due[0]
    return say(f"{exercise.title}. {_advice(exercise)}", f"{exercise.title}。{_advice(exercise)}")


def _advice(exercise: ExerciseReport) -> str:
    name = exercise.id
    if exercise.status == "todo":
        return say(
            f"Work through the numbered TODOs in `exercises/{name}.py`, or in its notebook cell, and check yourself with "
            f"`pytest exercises/tests/test_{name}.py`.",
            f"请按 `exercises/{name}.py`（或笔记本中对应的单元格）里编号的 TODO 逐步完成，"
            f"再用 `pytest exercises/tests/test_{name}.py` 自查。",
        )
    if exercise.status == "missing":
        return say(
            f"It did not arrive: hand in `exercises/{name}.py`, or the notebook with its cell filled in.",
            f"没有收到这一题：请提交 `exercises/{name}.py`，或填好对应单元格的笔记本。",
        )
    if exercise.status == "error":
        return say(
            f"The code stops before any function can be called. Run `python -m exercises.{name}` and mend the first error that it shows.",
            f"代码在任何函数被调用之前就停止了。请运行 `python -m exercises.{name}`，先改正它报告的第一个错误。",
        )
    first = next((test.title for test in exercise.tests if test.status != "passed"), exercise.title)
    return say(
        f"Start with “{first}” below, then run `pytest exercises/tests/test_{name}.py`.",
        f"请从下面的“{first}”开始，改完后运行 `pytest exercises/tests/test_{name}.py`。",
    )
