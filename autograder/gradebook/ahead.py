"""Grades the next students while nbgrader is still busy with this one: nbgrader goes through a class one by one.

The exporter makes one `Ahead` for a run over several students; `GradeInJail` asks it for reports.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from autograder.crew import Crew
from autograder.pool import Job
from autograder.reports.model import Report


class Ahead:
    """The reports of a run, each once.

    waiting: keys of what nbgrader will come to, in its order. make: the job for a key, under that key; None where there is none,
    because it cannot be read, say. What nbgrader asks for is graded in any case.
    """

    def __init__(self, crew: Crew, waiting: Iterable[str], make: Callable[[str], Job | None]):
        self.crew, self.make = crew, make
        self.waiting = deque(waiting)
        self.handed: set[str] = set()
        self.done: dict[str, Report] = {}

    def report(self, job: Job) -> Report:
        """The report of one job; waits for it. Ends the graders where that is interrupted, and after the last one."""
        try:
            if job.key not in self.handed:
                self._take(job)
            while job.key not in self.done:
                self._fill()
                for done, report in self.crew.ready(None):
                    self.done[done.key] = report
            self._fill()
        except BaseException:
            self.crew.close()
            raise
        if not self.waiting and not self.crew.busy:
            self.crew.close()
        return self.done.pop(job.key)

    def _take(self, job: Job) -> None:
        self.handed.add(job.key)
        self.crew.take(job)

    def _fill(self) -> None:
        while self.waiting and self.crew.has_room:
            key = self.waiting.popleft()
            job = self.make(key) if key not in self.handed else None
            if job is not None:
                self._take(job)
