"""The `student` of the hidden tests: one exercise of one submission, behind the wire.

It has the interface of the visible tests' student: `student.softmax(x)` gives a `Reply`, `student.SelfAttention(8, 4, 4)`
an object whose methods and attributes give replies. A worker that dies or hangs costs the test it was in.
"""

from __future__ import annotations

import copy
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from autograder.course import Class, Exercise, Value
from autograder.expect import Raised, Reply, describe_call, expect
from autograder.grading.answers import Answers
from autograder.grading.conversation import Conversation, Died, TimedOut, Unanswered, Worker
from autograder.grading.diagnosis import Origin, Step
from autograder.grading.reference import Reference, parameters_of
from autograder.inside import wire
from autograder.language import say
from autograder.limits import Limits
from autograder.submissions.model import Cell
from autograder.text import cut

LARGEST_DIAGNOSED = 5_000  # numbers in one argument
LARGEST_KEPT = 20_000  # and in an answer, which is compared many times and kept until the exercise's end
# Of what an exception says about itself. The worker cuts it too, as long as it is still the kit's.
LONGEST_DETAIL, MOST_KINDS = 2000, 16
LINE_END = re.compile("\r\n|\r|\n")  # as Python counts lines; str.splitlines knows more ends, the form feed for one
NESTED = ("W", "b")  # what an object within a student's object holds: the weights of the provided LSTMCell

Spawn = Callable[[Mapping[str, bytes], dict[str, Any]], Worker]


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


class Student:
    """One exercise of one submission. Close it when the exercise's tests are done."""

    def __init__(self, exercise: Exercise, code: Code, spawn: Spawn, reference: Reference, limits: Limits, budget: Budget):
        self._exercise, self._code, self._spawn, self._reference = exercise, code, spawn, reference
        self._limits, self._budget = limits, budget
        self._answers = Answers(exercise, reference)
        self._worker: Worker | None = None
        self._conversation: Conversation | None = None
        self._no_import: Unanswered | None = None
        self._slow: set[str] = set()
        self._holds_objects = False
        self._calls: list[Origin] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        entry = self._exercise.entry_point(name)
        if isinstance(entry, Value):
            return self._reply(name, name, ("value", name))
        parameters = parameters_of(getattr(self._reference, name))
        if isinstance(entry, Class):
            return lambda *args, **kwargs: self._construct(entry, parameters, args, kwargs)

        def function(*args: Any, **kwargs: Any) -> Reply:
            reply = self._call(name, ("call", name), parameters, args, kwargs)
            if not (is_small((args, kwargs)) and is_small(reply.value, LARGEST_KEPT)):
                return reply
            origin = Origin(self._exercise.id, name, *copy.deepcopy((args, kwargs)), reply.value, exception_of(reply))
            self._calls.append(origin)
            return replace(reply, origin=origin)

        return function

    def peak_memory_of(self, name: str, *args: Any, **kwargs: Any) -> Reply:
        """Call a function; the reply's value is the bytes that the call held at its peak, in Python's and NumPy's allocations."""
        called = describe_call(name, parameters_of(getattr(self._reference, name)), args, kwargs, secret=True)
        # By its sizes, not by its name: a long call that timed out must not cost a short one its time.
        return self._reply(called, called, ("measure", name, args, kwargs))

    def _construct(self, entry: Class, parameters: list[str], args: tuple[Any, ...], kwargs: dict[str, Any]) -> StudentObject:
        reply = self._call(entry.name, ("construct", entry.name), parameters, args, kwargs)
        if reply.raised is not None:
            expect(reply).to_be_numbers()  # writes the sentence about the exception
        self._holds_objects = True
        if not isinstance(reply.value, wire.Handle):
            raise Unanswered("crashed", say("The answer breaks the rules of the wire.", "返回的数据不符合通信规则。"))
        return StudentObject(self, entry, reply.called, reply.value.number, [("construct", entry.name, *copy.deepcopy((args, kwargs)))])

    def _call(self, subject: str, request: tuple[Any, ...], parameters: list[str], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Reply:
        """Call a function, a class or a method; functions among the arguments can be called back."""
        called = describe_call(subject, parameters, args, kwargs, secret=True)
        functions: dict[int, Callable[..., Any]] = {}

        def crossing(value: Any) -> Any:
            if callable(value) and not isinstance(value, np.generic):
                functions[len(functions)] = value
                return wire.FunctionRef(len(functions) - 1)
            return value

        sent_args, sent_kwargs = tuple(map(crossing, args)), {key: crossing(value) for key, value in kwargs.items()}
        return self._reply(subject, called, (*request, sent_args, sent_kwargs), functions)

    def _reply(self, subject: str, called: str, request: tuple[Any, ...], functions: dict[int, Callable[..., Any]] | None = None) -> Reply:
        self._ready()
        status, *facts = self._request(subject, called, request, functions or {})
        match status, facts:
            case "ok", [value]:
                return Reply(called, value=value, secret=True)
            case "ok", [value, bool(changed)]:
                return Reply(called, value=value, changed_arguments=changed, secret=True)
            case "absent", []:
                told = say(f"`{subject}` is not there any more.", f"找不到 `{subject}`。")
                raise Unanswered("missing", told + say(" Keep the name that the stub had.", "请保留原来的名字。"))
            case "unplain", [str(what)]:
                told = say(
                    f"Called {called}.\nWhat came back is not plain data: numbers, arrays, strings, or tuples, lists and dicts of them.",
                    f"调用了 {called}。\n返回的不是普通数据（数、数组、字符串，或由它们组成的元组、列表、字典）。",
                )
                raise Unanswered("failed", told, detail=f"It was {cut(what, LONGEST_DETAIL)}.")
            case "raised", _:
                return self._raised(called, facts)
        raise self._lost(called, Died("a reply of unknown kind"))

    def _raised(self, called: str, facts: list[Any]) -> Reply:
        raised = self._read_exception(facts)
        if "NotImplementedError" in raised.kinds:
            raise Unanswered("todo", say("Still to be written.", "尚未完成。"))
        return Reply(called, raised=raised, secret=True)

    def _read_exception(self, facts: list[Any]) -> Raised:
        match facts:
            case [list(kinds), str(detail), str(file), int(line)] if all(isinstance(kind, str) for kind in kinds):
                own = self._own_line(file, line)
                kinds = [cut(kind, LONGEST_DETAIL) for kind in kinds[:MOST_KINDS]]
                told = f"{kinds[0] if kinds else ''}: {cut(detail, LONGEST_DETAIL)} ({cut(file, LONGEST_DETAIL)}:{line})"
                return Raised(tuple(kinds), detail=told, line=own)
        raise self._lost("", Died("an exception of unknown form"))

    def _own_line(self, file: str, line: int) -> str:
        """The student's own line, from what was handed in: `softmax.py, line 12: x / 0`. Their module's only, or a cell's."""
        module = f"exercises/{self._exercise.module}.py"
        if self._code.cells is not None:
            name, source = say("the notebook", "笔记本"), self._cell_source(file)
        else:
            name, source = (
                f"{self._exercise.module}.py",
                self._code.files.get(module, b"").decode("utf-8", "replace") if file == module else "",
            )
        if not source or len(source) > self._limits.longest_source:
            return ""
        lines = LINE_END.split(source)
        if not 1 <= line <= len(lines):
            return ""
        return say(f"{name}, line {line}: {lines[line - 1].strip()[:120]}", f"{name} 第 {line} 行：{lines[line - 1].strip()[:120]}")

    def _cell_source(self, file: str) -> str:
        numbered = dict(enumerate(self._code.cells or ()))
        return next((cell.source for number, cell in numbered.items() if file == f"<cell {number}>"), "")

    # The worker.

    def _ready(self) -> None:
        """A worker that has imported the exercise; Unanswered where there can be none."""
        if self._no_import is not None:
            raise self._no_import
        if self._conversation is not None:
            return
        try:
            self._import()
        except Unanswered as first:
            self._stop()
            if first.status in ("todo", "missing", "timeout") or self._budget.hollow or not self._can_be_hollow():
                self._no_import = first
                raise
            self._budget.hollow = True  # an earlier module may be what does not import: try without them
            try:
                self._import()
            except Unanswered:
                self._budget.hollow = False
                self._stop()
                self._no_import = first
                raise first from None

    def _can_be_hollow(self) -> bool:
        return self._code.cells is not None or any(f"exercises/{earlier}.py" in self._code.files for earlier in self._exercise.builds_on)

    def _import(self) -> None:
        self._check_time()
        cells = self._code.cells
        setup = {
            "exercise": self._exercise.module,
            "stand_ins": self._answers.declared(),
            "hollow": self._budget.hollow,
            "cells": None if cells is None else [[i, c.source, c.grade_id] for i, c in enumerate(cells) if not is_locked_test(c)],
            "entry_points": [entry.name for entry in self._exercise.entry_points],
            "bounds": {"size": self._limits.answer, "depth": self._limits.depth, "containers": self._limits.containers},
        }
        self._worker = self._spawn(self._code.files, setup)
        self._conversation = Conversation(self._worker, self._limits)
        what = say("the notebook's cells", "笔记本中的代码") if cells is not None else f"{self._exercise.module}.py"
        try:
            status, *facts = self._request("import", what, ("import",), {})
        except Unanswered as error:
            self._check_time()
            raise Unanswered("error", say(f"Importing {what}: {error.told}", f"导入 {what}：{error.told}"), error.detail) from None
        if status == "raised":
            raised = self._read_exception(facts)
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

    def _request(self, subject: str, called: str, request: tuple[Any, ...], functions: dict[int, Callable[..., Any]]) -> list[Any]:
        assert self._conversation is not None
        self._check_time()
        limit = self._limits.repeated_timeout_seconds if subject in self._slow else self._limits.call_seconds
        seconds = min(limit, self._budget.seconds)
        start = time.monotonic()
        try:
            return self._conversation.request(*request, seconds=seconds, answer=self._answers.during(functions))
        except TimedOut:
            self._stop()
            self._slow.add(subject)
            raise Unanswered("timeout", no_answer(called, limit, seconds)) from None
        except Died as error:
            raise self._lost(called, error) from None
        except wire.NotPlain as error:
            raise TypeError(f"a hidden test passed {error} to a student's function") from None
        finally:
            self._budget.seconds -= time.monotonic() - start

    def _check_time(self) -> None:
        """Unanswered where the submission's time is used up: no fault of this exercise's own."""
        if self._budget.seconds <= 0:
            told = say("The time for this submission was used up before this test.", "这份提交的总时间已在此测试之前用完。")
            raise Unanswered("timeout", told)

    def _lost(self, called: str, error: Died) -> Unanswered:
        reason = self._stop()
        told = say(f"Called {called}.\nThe process ended or broke off in this call.", f"调用了 {called}。\n进程在这次调用中终止或中断了。")
        return Unanswered("crashed", told, detail=f"{error}: {reason}" if reason else str(error))

    def _stop(self) -> str:
        """End the worker, with all that it started, and keep what it printed; what it used too much of, where that was its end."""
        reason = ""
        if self._worker is not None:
            ending = self._worker.close()
            for name in ("stdout", "stderr"):
                kept = self._code.output.get(name, b"") + getattr(ending, name, b"")
                self._code.output[name] = kept[: self._limits.output_kept]
            reason = getattr(ending, "reason", "")
        self._worker = self._conversation = None
        return reason

    def close(self) -> None:
        """End the worker; after this nothing that the exercise started is alive."""
        self._stop()

    def take_calls(self) -> tuple[Origin, ...]:
        """The calls of functions since the last time; for the diagnosis."""
        calls, self._calls = tuple(self._calls), []
        return calls

    def forget_objects(self) -> None:
        """Between tests: the objects that the last one made are let go."""
        if self._conversation is not None and self._holds_objects:
            self._holds_objects = False
            try:
                self._request("forget", "forget", ("forget",), {})
            except Unanswered:
                pass


class StudentObject:
    """An object that a student's class made. It stays in the jail; methods and attributes give replies.

    steps: what was done with it so far, for the diagnosis. path: where a nested object hangs, "encoder_lstm.".
    """

    def __init__(self, student: Student, entry: Class, called: str, number: int, steps: list[Step], path: str = ""):
        object.__setattr__(self, "_facts", (student, entry, called, number, steps, path))

    def __str__(self) -> str:
        return str(self._facts[2])

    def __getattr__(self, name: str) -> Any:
        student, entry, called, number, steps, path = self._facts
        if not path and name in entry.methods:
            return self._method(name)
        reply = student._reply(f"{entry.name}.{path}{name}", f"{called}.{name}", ("get", number, name))
        if isinstance(reply.value, wire.Handle):
            return StudentObject(student, entry, f"{called}.{name}", reply.value.number, steps, f"{path}{name}.")
        return reply

    def _method(self, name: str) -> Callable[..., Reply]:
        student, entry, _, number, steps, _ = self._facts
        subject = f"{entry.name}.{name}"
        parameters = parameters_of(getattr(getattr(student._reference, entry.name), name))[1:]

        def method(*args: Any, **kwargs: Any) -> Reply:
            reply = student._call(subject, ("method", number, name), parameters, args, kwargs)
            before = tuple(steps)
            args, kwargs = copy.deepcopy((args, kwargs))
            steps.append(("call", name, args, kwargs))
            if not is_small(reply.value, LARGEST_KEPT):
                return reply
            raised = exception_of(reply)
            return replace(
                reply, origin=Origin(student._exercise.id, subject, args, kwargs, reply.value, raised, before, self._plain_attributes)
            )

        return method

    def _plain_attributes(self) -> dict[str, Any]:
        """The declared attributes as they are now; of a nested object those that hold arrays, by their path."""
        found: dict[str, Any] = {}
        for name in self._facts[1].attributes:
            value = getattr(self, name)
            for path, reply in self._leaves(name, value):
                if isinstance(reply, Reply) and reply.raised is None:
                    found[path] = reply.value
        return found

    @staticmethod
    def _leaves(name: str, value: Any) -> list[tuple[str, Any]]:
        return [(name, value)] if isinstance(value, Reply) else [(f"{name}.{inner}", getattr(value, inner)) for inner in NESTED]

    def __setattr__(self, name: str, value: Any) -> None:
        student, _, called, number, steps, path = self._facts
        reply = student._reply(f"{called}.{name}", f"{called}.{name} = …", ("set", number, name, value))
        if reply.raised is not None:
            expect(reply).to_be_numbers()
        steps.append(("set", f"{path}{name}", (copy.deepcopy(value),), {}))


def no_answer(called: str, limit: float, seconds: float) -> str:
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


def is_small(value: Any, most: int = LARGEST_DIAGNOSED) -> bool:
    """Whether a value holds so few numbers, characters and items that a diagnosis costs next to nothing."""
    return _size_of(value, most) <= most


def _size_of(value: Any, most: int) -> int:
    """The size of a value; anything above `most` where it is larger."""
    if isinstance(value, np.ndarray):
        return int(value.size)
    if isinstance(value, (str, bytes)):
        return len(value)
    size = 1
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ():
        size += _size_of(item, most)
        if size > most:
            break
    return size


def exception_of(reply: Reply) -> str:
    """The name of the class of the exception that ended a call; empty where none did."""
    return reply.raised.kinds[0] if reply.raised is not None and reply.raised.kinds else ""


def is_locked_test(cell: Cell) -> bool:
    """A check or grade cell of the kit's own: nothing of the student's."""
    return cell.grade_id.startswith(("check-", "grade-"))
