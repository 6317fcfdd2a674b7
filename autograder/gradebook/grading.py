"""Has the kit's grader grade for nbgrader: in this process, or by several that are a few students ahead.

Each exporter, so each run of autograde, has one `JailedGrading`. Its settings are the course's: `c.JailedGrading.jail = "landlock"`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from traitlets import Enum, Float, Int
from traitlets.config import LoggingConfigurable

from autograder.gradebook.expected import Expected
from autograder.jail import choose
from autograder.language import language, speaking
from autograder.limits import DEFAULT, MIB, Limits
from autograder.reports.model import Report
from autograder.submissions import Submission

if TYPE_CHECKING:
    from autograder.gradebook.ahead import Ahead
    from autograder.pool import Job


class Ungraded(Exception):
    """This student's work cannot be graded; the text says why and what to do. nbgrader goes on with the next student."""


class JailedGrading(LoggingConfigurable):
    """The grader of one run."""

    jail = Enum(("auto", "bubblewrap", "landlock", "none"), "auto", help="How student code is confined.").tag(config=True)
    jobs = Int(DEFAULT.jobs, min=1, help="Grader processes of the command `nbgrader autograde`.").tag(config=True)
    call_seconds = Float(DEFAULT.call_seconds, min=0.1, help="Limit for one call of student code.").tag(config=True)
    submission_seconds = Float(DEFAULT.submission_seconds, min=0.1, help="Limit for one submission.").tag(config=True)
    memory = Int(DEFAULT.memory // MIB, min=1, help="Memory for student code, in MiB.").tag(config=True)
    seed = Int(None, min=0, allow_none=True, help="Seed of the hidden inputs; by default one for each course folder.").tag(config=True)

    ahead: Ahead | None = None

    def require_jail(self) -> None:
        """Raise JailUnavailable, with the way out, where the jail that is asked for does not work here."""
        if choose(self.jail) == "none":
            self.log.warning("c.JailedGrading.jail = 'none' runs student code unconfined, with your rights, on this machine.")

    def limits(self) -> Limits:
        """The kit's limits, with those that the course sets."""
        return replace(DEFAULT, call_seconds=self.call_seconds, submission_seconds=self.submission_seconds, memory=self.memory * MIB)

    # pytest and the hidden tests come along with what follows; no other command of nbgrader needs them.

    def job(self, key: str, submission: Submission, expected: Expected, course: Path) -> Job:
        """What to grade. key: the job's name in this run; course: the folder that keeps the seed."""
        from autograder.batch import kept_seed
        from autograder.pool import Job

        seed = self.seed if self.seed is not None else kept_seed(course)
        with speaking(expected.language):
            lang = language()
        return Job(submission, key, seed, expected.exercises, lang, choose(self.jail), self.limits())

    def look_ahead(self, waiting: Sequence[str], make: Callable[[str], Job | None]) -> None:
        """Grade these, by their jobs' keys, in processes of their own before they are asked for."""
        from autograder.crew import LocalCrew
        from autograder.gradebook.ahead import Ahead

        self.log.info("Grading %d notebooks in %d processes", len(waiting), self.jobs)
        self.ahead = Ahead(LocalCrew(self.jobs), waiting, make)

    def report(self, job: Job) -> Report:
        """Grade. Raises Ungraded where the grader itself failed, which is no reason for a 0."""
        from autograder.pool import grade_job

        report = self.ahead.report(job) if self.ahead is not None else grade_job(job)
        if report.status == "error":
            raise Ungraded(report.notes[-1])
        return report
