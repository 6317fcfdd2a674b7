"""Grading ahead of nbgrader: each report once, whatever order nbgrader asks in, and nothing left running."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autograder.gradebook.ahead import Ahead
from autograder.gradebook.grading import JailedGrading, Ungraded
from autograder.limits import DEFAULT
from autograder.pool import Job
from autograder.reports.model import Report
from autograder.submissions import Submission


def job(key: str) -> Job:
    return Job(Submission(key, {}), key, 5, (), "en", "none", DEFAULT)


class Recorder:
    """A crew that has room for two, and is done with the last one first."""

    def __init__(self) -> None:
        self.handed: list[Job] = []
        self.taken: list[str] = []
        self.closed = False

    @property
    def busy(self) -> int:
        return len(self.handed)

    @property
    def has_room(self) -> bool:
        return self.busy < 2

    def take(self, job: Job) -> None:
        self.handed.append(job)
        self.taken.append(job.key)

    def ready(self, seconds: float | None) -> Iterator[tuple[Job, Report]]:
        done = self.handed.pop()
        if done.key == "interrupted":
            raise KeyboardInterrupt
        yield done, Report(student=done.key, status="error" if done.key == "fault" else "graded", seed=5, notes=("The grader failed.",))

    def close(self) -> None:
        self.closed = True


def test_each_is_graded_once_and_the_next_ones_before_they_are_asked_for():
    crew = Recorder()
    ahead = Ahead(crew, ["a", "b", "c", "d"], job)
    assert ahead.report(job("a")).student == "a"
    assert {"a", "b"} < set(crew.taken)
    assert [ahead.report(job(key)).student for key in "bcd"] == ["b", "c", "d"]
    assert sorted(crew.taken) == ["a", "b", "c", "d"]
    assert crew.closed and ahead.done == {}


def test_what_nbgrader_leaves_out_or_asks_for_besides_changes_nothing():
    crew = Recorder()
    ahead = Ahead(crew, ["a", "b", "c"], job)
    assert [ahead.report(job(key)).student for key in ("c", "other", "a")] == ["c", "other", "a"]
    assert sorted(crew.taken) == ["a", "b", "c", "other"]


def test_what_cannot_be_read_ahead_is_left_to_its_turn():
    crew = Recorder()
    ahead = Ahead(crew, ["unreadable", "b"], lambda key: None if key == "unreadable" else job(key))
    assert ahead.report(job("b")).student == "b"
    assert crew.taken == ["b"]
    assert crew.closed


def test_whoever_interrupts_leaves_no_grader_running():
    crew = Recorder()
    with pytest.raises(KeyboardInterrupt):
        Ahead(crew, ["interrupted"], job).report(job("interrupted"))
    assert crew.closed


def test_a_fault_of_the_grader_leaves_the_student_ungraded_and_gives_no_points():
    grading = JailedGrading()
    grading.ahead = Ahead(Recorder(), [], job)
    with pytest.raises(Ungraded, match=r"The grader failed\."):
        grading.report(job("fault"))
    assert grading.report(job("a")).status == "graded"
