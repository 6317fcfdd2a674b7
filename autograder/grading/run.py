"""One exercise of one submission in the jail: its worker, started when it is first needed and again where it died or hung.

The `Student` of the hidden tests sends its requests here. What of a submission's time they take is counted, and a worker
that cannot be had, that ends or that keeps silent becomes an `Unanswered`, which says how the test ends.
"""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from autograder.course import Exercise
from autograder.expect import Raised, Reply, expect
from autograder.grading.answers import Answers
from autograder.grading.conversation import Conversation, Died, TimedOut, Unanswered, Worker
from autograder.grading.foresight import Ahead, Diverged, Echo, Foresight, Key
from autograder.inside import wire
from autograder.language import say
from autograder.limits import FORESIGHT, Limits
from autograder.submissions.model import Cell
from autograder.text import cut

foresight = Foresight(FORESIGHT)
PATIENCE = 1.0  # seconds that what is asked ahead may take, then it is asked again, at the time
PATIENCE_AFTERWARDS = 0.05  # for what nobody needs any more
UNFORESEEABLE = ("measure", "outgrows")  # what follows on them depends on the answer
# Of what an exception says about itself. The worker cuts it too, as long as it is still the kit's.
LONGEST_DETAIL, MOST_KINDS = 2000, 16
LINE_END = re.compile("\r\n|\r|\n")  # as Python counts lines; str.splitlines knows more ends, the form feed for one

Spawn = Callable[[dict[str, Any]], Worker]
Functions = Mapping[int, Callable[..., Any]]


@dataclass
class Budget:
    """The wall time that one submission has left, and whether its earlier modules had to be left out."""

    seconds: float
    hollow: bool = False


@dataclass
class Code:
    """What of a submission one exercise runs: its files, and the notebook's cells where it is one."""

    files: Mapping[str, bytes]
    cells: tuple[Cell, ...] | None = None
    output: dict[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Step:
    """Something to do before the next request, whose reply nobody needs unless it fails. works: it runs the student's code."""

    called: object
    request: tuple[Any, ...]
    works: bool = False


class Run:
    """The workers of one exercise of one submission, one after the other. `spawn` starts one with the submission's files."""

    def __init__(self, exercise: Exercise, code: Code, spawn: Spawn, answers: Answers, limits: Limits, budget: Budget):
        self.exercise, self.code, self.spawn, self.answers = exercise, code, spawn, answers
        self.limits, self.budget = limits, budget
        self.started = 0  # how many workers there have been
        self.worker: Worker | None = None
        self.conversation: Conversation | None = None
        self.no_import: Unanswered | None = None
        self.slow: set[str] = set()
        self.key: Key | None = None  # of the test that runs
        self.coming: Sequence[Key] = ()  # of the tests after it
        self.made: list[bytes] | None = []  # what it has asked for, None where that cannot be foreseen
        self.echo: Echo | None = None  # where it is to be found out whether that can be kept
        self.ahead: Ahead | None = None
        self.patient = False  # nothing is asked ahead
        self.forget = False  # the objects of the test before

    def ready(self) -> None:
        """A worker that has imported the exercise; Unanswered where there can be none."""
        if self.no_import is not None:
            raise self.no_import
        if self.conversation is not None:
            return
        try:
            self._import()
        except Unanswered as first:
            self.stop()
            if first.status in ("todo", "missing", "timeout") or self.budget.hollow or not self._can_be_hollow():
                self.no_import = first
                raise
            self.budget.hollow = True  # an earlier module may be what does not import: try without them
            try:
                self._import()
            except Unanswered:
                self.budget.hollow = False
                self.stop()
                self.no_import = first
                raise first from None

    def _can_be_hollow(self) -> bool:
        return self.code.cells is not None or any(f"exercises/{earlier}.py" in self.code.files for earlier in self.exercise.builds_on)

    def _import(self) -> None:
        self._check_time()
        cells = self.code.cells
        setup = {
            "exercise": self.exercise.module,
            "stand_ins": self.answers.declared(),
            "hollow": self.budget.hollow,
            "cells": None if cells is None else [[i, c.source, c.grade_id] for i, c in enumerate(cells) if not is_locked_test(c)],
            "entry_points": [entry.name for entry in self.exercise.entry_points],
            "bounds": {"size": self.limits.answer, "depth": self.limits.depth, "containers": self.limits.containers},
        }
        self.worker = self.spawn(setup)
        self.started += 1
        self.conversation = Conversation(self.worker, self.limits)
        what = say("the notebook's cells", "笔记本中的代码") if cells is not None else f"{self.exercise.module}.py"
        try:
            (body,) = self._in_time(what, what, self.limits.call_seconds, self._first_reply)
            status, *facts = self._decode(what, body)
        except Unanswered as error:
            self._check_time()
            raise Unanswered("error", say(f"Importing {what}: {error.told}", f"导入 {what}：{error.told}"), error.detail) from None
        if status == "raised":
            raised = self.read_exception(facts)
            if "NotImplementedError" in raised.kinds:
                raise Unanswered("todo", say("Still to be written.", "尚未完成。"))
            called = say(f"import {what}", f"导入 {what}")
            try:
                expect(Reply(called, raised=raised, secret=True)).to_be_numbers()
            except AssertionError as wrong:
                came_back = getattr(wrong, "came_back", "")
                told = say(f"{what} does not import. {came_back}", f"{what} 无法导入。{came_back}")
                raise Unanswered("error", told, raised.detail) from None
        elif status == "absent" and cells is not None:
            told = say("The notebook has no cell for this exercise.", "笔记本中没有这个练习的单元格。")
            raise Unanswered("missing", told)
        elif status != "ok":
            raise Unanswered("error", say(f"{what} does not import.", f"{what} 无法导入。"))

    def _first_reply(self, seconds: float) -> list[bytes]:
        assert self.conversation is not None
        return self.conversation.replies(seconds=seconds, answer=self.answers.during({}))

    def begin(self, key: Key | None, coming: Sequence[Key] = ()) -> None:
        """A test begins. key: its own in what is foreseen, None to foresee nothing. coming: those of the tests after it."""
        self.key, self.coming, self.made = key, coming, []
        self.echo = Echo() if key is not None and key not in foresight.known else None
        self.answers.given = {}
        self.forget = True

    def end(self, passed: bool) -> None:
        """The test is over: what it asked is what it will ask, where it passed; what nobody took of the replies is thrown away."""
        if self.ahead is not None:
            patience = PATIENCE if len(self.ahead.tests) > 1 else PATIENCE_AFTERWARDS
            try:
                while len(self.ahead.replies) < self.ahead.left():
                    self._hear_ahead(self.ahead, patience)
                self.ahead.next_test()
                if not self.ahead.tests:
                    self.ahead = None
            except (TimedOut, Died):
                self.patient = self.patient or patience == PATIENCE
                self.stop()
        if passed and self.key is not None and self.made is not None:
            foresight.learn(self.key, self.made, self.answers.given)
        self.key = None

    def requests(
        self, subject: str, calls: Sequence[object], steps: Sequence[Step], requests: Sequence[tuple[Any, ...]], functions: Functions
    ) -> list[tuple[bytes, list[Any]]]:
        """Some requests, as they were sent, and the replies to them, `[status, *facts]` each, after some steps. A step that failed
        makes the first reply `["before", number, status, *facts]`. calls: the requests in words."""
        if steps:
            requests = [("after", [step.request for step in steps], *requests[0]), *requests[1:]]
        try:
            bodies = [wire.encode(list(request), self.limits.depth + 4) for request in requests]
        except wire.NotPlain as error:
            raise TypeError(f"a hidden test passed {error} to a student's function") from None
        if functions or requests[0][0] in UNFORESEEABLE or (self.echo is not None and self.echo.asks(requests)):
            self.made = self.echo = None
        if self.made is not None:
            if not self.made and self.key is not None and self.ahead is None:
                self._look_ahead(bodies[0])
            self.made += bodies
        if self.ahead is not None:
            return [(body, self._decode(call, self._foreseen(body))) for call, body in zip(calls, bodies, strict=True)]
        works = [step.called for step in steps if step.works]
        called = Together((*works, calls[0])) if works else calls[0]
        limit = (self.limits.repeated_timeout_seconds if subject in self.slow else self.limits.call_seconds) * (1 + len(works))
        answer = self.answers.during(functions)

        def ask(seconds: float) -> list[bytes]:
            assert self.conversation is not None
            self.conversation.ask([wire.FORGET, *bodies] if self.forget else bodies, seconds=seconds)
            self.forget = False
            return self.conversation.replies(seconds=seconds, answer=answer)

        def wait(seconds: float) -> list[bytes]:
            assert self.conversation is not None
            return self.conversation.replies(seconds=seconds, answer=answer)

        found = self._in_time(subject, called, limit, ask)
        while len(found) < len(bodies):
            found += self._in_time(subject, calls[len(found)], limit, wait)
        replies = [self._decode(call, body) for call, body in zip(calls, found, strict=True)]
        if self.echo is not None:
            self.echo.hears(replies)
        return list(zip(bodies, replies, strict=True))

    def _look_ahead(self, first: bytes) -> None:
        """Ask for everything that the test and those after it are going to ask, as far as that is known, where it begins as it does."""
        assert self.key is not None
        foreseen = foresight.in_a_row((self.key, *self.coming))
        if self.patient or not foreseen or foreseen[0].requests[:1] != [first]:
            return
        assert self.conversation is not None
        self.ahead = Ahead(deque(test.requests for test in foreseen))
        requests = [request for test in foreseen for request in (wire.FORGET, *test.requests)]
        answers = [part for test in foreseen for part in test.sealed]
        try:
            self.conversation.ask(requests, answers=answers, seconds=min(PATIENCE, self.budget.seconds))
        except (TimedOut, Died):
            self._be_patient()

    def _foreseen(self, request: bytes) -> bytes:
        """The reply to a request that was asked ahead. Diverged where it was not, or where there is none yet."""
        assert self.ahead is not None and self.key is not None
        if not self.ahead.foresaw(request):
            foresight.give_up(self.key)
            raise Diverged
        try:
            while not self.ahead.replies:
                self._hear_ahead(self.ahead, PATIENCE)
        except (TimedOut, Died):
            self._be_patient()
        return self.ahead.replies.popleft()

    def _hear_ahead(self, ahead: Ahead, patience: float) -> None:
        """Wait for replies to what was asked ahead of time."""
        assert self.conversation is not None
        start = time.monotonic()
        try:
            ahead.replies += self.conversation.replies(seconds=min(patience, self.budget.seconds), answer=self.answers.during({}))
        finally:
            self.budget.seconds -= time.monotonic() - start

    def _be_patient(self) -> NoReturn:
        """Whose calls take long, or end the process, is asked for one after the other from then on."""
        self.patient = True
        raise Diverged

    def _decode(self, called: object, body: object) -> list[Any]:
        assert self.conversation is not None
        try:
            reply = self.conversation.decode(body) if isinstance(body, bytes) else None
        except Died as error:
            raise self.lost(called, error) from None
        if not isinstance(reply, list):
            raise self.lost(called, Died("a reply that is none"))
        return reply

    def _in_time(self, subject: str, called: object, limit: float, ask: Callable[[float], list[bytes]]) -> list[bytes]:
        self._check_time()
        seconds = min(limit, self.budget.seconds)
        start = time.monotonic()
        try:
            return ask(seconds)
        except TimedOut:
            self.stop()
            self.slow.add(subject)
            raise Unanswered("timeout", no_answer(called, limit, seconds)) from None
        except Died as error:
            raise self.lost(called, error) from None
        finally:
            self.budget.seconds -= time.monotonic() - start

    def _check_time(self) -> None:
        """Unanswered where the submission's time is used up: no fault of this exercise's own."""
        if self.budget.seconds <= 0:
            told = say("The time for this submission was used up before this test.", "这份提交的总时间已在此测试之前用完。")
            raise Unanswered("timeout", told)

    def lost(self, called: object, error: Died) -> Unanswered:
        """The worker is of no more use: stop it, and say what was called."""
        reason = self.stop()
        told = say(f"Called {called}.\nThe process ended or broke off in this call.", f"调用了 {called}。\n进程在这次调用中终止或中断了。")
        return Unanswered("crashed", told, detail=f"{error}: {reason}" if reason else str(error))

    def read_exception(self, facts: list[Any]) -> Raised:
        """The exception that a reply tells of, bounded once more: what the worker is by now, it alone knows."""
        match facts:
            case [list(kinds), str(detail), str(file), int(line)] if all(isinstance(kind, str) for kind in kinds):
                own = self._own_line(file, line)
                kinds = [cut(kind, LONGEST_DETAIL) for kind in kinds[:MOST_KINDS]]
                told = f"{kinds[0] if kinds else ''}: {cut(detail, LONGEST_DETAIL)} ({cut(file, LONGEST_DETAIL)}:{line})"
                return Raised(tuple(kinds), detail=told, line=own)
        raise self.lost("", Died("an exception of unknown form"))

    def _own_line(self, file: str, line: int) -> str:
        """The student's own line, from what was handed in: `softmax.py, line 12: x / 0`. Their module's only, or a cell's."""
        module = f"exercises/{self.exercise.module}.py"
        if self.code.cells is not None:
            name, source = say("the notebook", "笔记本"), self._cell_source(file)
        else:
            name, source = (
                f"{self.exercise.module}.py",
                self.code.files.get(module, b"").decode("utf-8", "replace") if file == module else "",
            )
        if not source or len(source) > self.limits.longest_source:
            return ""
        lines = LINE_END.split(source)
        if not 1 <= line <= len(lines):
            return ""
        return say(f"{name}, line {line}: {lines[line - 1].strip()[:120]}", f"{name} 第 {line} 行：{lines[line - 1].strip()[:120]}")

    def _cell_source(self, file: str) -> str:
        numbered = dict(enumerate(self.code.cells or ()))
        return next((cell.source for number, cell in numbered.items() if file == f"<cell {number}>"), "")

    def stop(self) -> str:
        """End the worker, with all that it started, and keep what it printed; what it used too much of, where that was its end."""
        reason = ""
        if self.worker is not None:
            ending = self.worker.close()
            for name in ("stdout", "stderr"):
                kept = self.code.output.get(name, b"") + getattr(ending, name, b"")
                self.code.output[name] = kept[: self.limits.output_kept]
            reason = getattr(ending, "reason", "")
        self.worker = self.conversation = self.ahead = None
        return reason


@dataclass(frozen=True)
class Together:
    """Several calls that one answer was waited for."""

    calls: tuple[object, ...]

    def __str__(self) -> str:
        return say(", then ", "，然后 ").join(map(str, self.calls))


def no_answer(called: object, limit: float, seconds: float) -> str:
    """What a student reads about a call without an answer. What was left of the submission's time is a number of their making."""
    if seconds < limit:
        return say(
            f"Called {called}.\nThe time for this submission was used up in this call.",
            f"调用了 {called}。\n这份提交的总时间在这次调用中用完。",
        )
    return say(
        f"Called {called}.\nNo answer within {limit:.3g} s. Is there a loop that never ends?",
        f"调用了 {called}。\n{limit:.3g} 秒内没有返回。是否有死循环？",
    )


def is_locked_test(cell: Cell) -> bool:
    """A check or grade cell of the kit's own: nothing of the student's."""
    return cell.grade_id.startswith(("check-", "grade-"))
