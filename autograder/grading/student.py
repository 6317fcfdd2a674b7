"""The `student` of the hidden tests: one exercise of one submission, behind the wire.

It has the interface of the visible tests' student: `student.softmax(x)` gives a `Reply`, `student.SelfAttention(8, 4, 4)`
an object whose methods and attributes give replies. A worker that dies or hangs costs the test it was in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.course import Class, Exercise, Value
from autograder.expect import Reply, describe_call, expect
from autograder.grading.answers import Answers
from autograder.grading.conversation import Died, Unanswered
from autograder.grading.diagnosis import Origin
from autograder.grading.diagnosis import Step as Done
from autograder.grading.foresight import Key
from autograder.grading.reference import Reference, parameters_of
from autograder.grading.run import LONGEST_DETAIL, Budget, Code, Run, Spawn, Step
from autograder.inside import wire
from autograder.language import say
from autograder.limits import Limits
from autograder.text import cut

LARGEST_DIAGNOSED = 5_000  # numbers in the arguments of a call
LARGEST_KEPT = 20_000  # and in an answer, which is compared many times and kept until the exercise's end
NESTED = ("W", "b")  # what an object within a student's object holds: the weights of the provided LSTMCell


@dataclass
class Recorded:
    """A call as it went over the wire, and what came back. Its origin is made where somebody looks for the reason of a wrong answer.

    own: the functions among its arguments. before: what was done with the object before, of a method. attributes: reads the object's.
    """

    exercise: str
    target: str
    request: bytes
    bounds: wire.Bounds
    own: dict[int, Callable[..., Any]] = field(default_factory=dict)
    before: tuple[Recorded | Done, ...] = ()
    attributes: Callable[[], dict[str, Any]] = dict
    value: Any = None
    raised: str = ""  # the class of the exception that ended it

    def origin(self) -> Origin | None:
        """The call for the diagnosis; None where the arguments of a function are large."""
        args, kwargs = self.arguments()
        if not self.before and not is_small((args, kwargs)):
            return None
        steps = tuple(step.as_step() if isinstance(step, Recorded) else step for step in self.before)
        return Origin(self.exercise, self.target, args, kwargs, self.value, self.raised, steps, self.attributes)

    def arguments(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """As they were when the call was made."""
        *_, args, kwargs = wire.decode(self.request, self.bounds, writable=True)
        return tuple(map(self._own, args)), {name: self._own(value) for name, value in kwargs.items()}

    def _own(self, value: Any) -> Any:
        return self.own[value.number] if isinstance(value, wire.FunctionRef) else value

    def as_step(self) -> Done:
        """The call as something that was done with an object."""
        return ("call", self.target.rpartition(".")[2], *self.arguments())


class Calls:
    """The calls of functions that a test made, with their origins made where somebody looks."""

    def __init__(self, made: Sequence[Recorded]):
        self.made = made

    def __iter__(self) -> Iterator[Origin]:
        return (origin for origin in map(Recorded.origin, self.made) if origin is not None)


class Student:
    """One exercise of one submission. Close it when the exercise's tests are done.

    What only makes or changes an object is done together with the next request that is waited for: each wait costs more than
    most calls. What then fails, fails there, with its own words.
    """

    def __init__(self, exercise: Exercise, code: Code, spawn: Spawn, reference: Reference, limits: Limits, budget: Budget):
        self._exercise, self._reference = exercise, reference
        self._bounds = wire.Bounds(limits.answer, limits.depth + 4, limits.containers)
        self._run = Run(exercise, code, spawn, Answers(exercise, self._bounds), limits, budget)
        self._steps: list[Step] = []  # to be done before the next request
        self._objects = 0  # made so far
        self._fetched: dict[tuple[int, str], Any] = {}  # what is known of objects and values, until something may have changed it
        self._calls: list[Recorded] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        entry = self._exercise.entry_point(name)
        if isinstance(entry, Value):
            return self._value(name)
        parameters = parameters_of(getattr(self._reference, name))
        if isinstance(entry, Class):
            return lambda *args, **kwargs: self._construct(entry, parameters, args, kwargs)
        function = Function(self, name, parameters)
        self.__dict__[name] = function  # found there from now on
        return function

    def _value(self, name: str) -> Reply:
        if (0, name) not in self._fetched:
            reply = self._reply(name, name, ("value", name))
            if reply.raised is not None:
                return reply
            self._fetched[0, name] = reply.value
        return Reply(name, value=self._fetched[0, name], secret=True)

    def peak_memory_of(self, name: str, *args: Any, **kwargs: Any) -> Reply:
        """Call a function; the reply's value is the bytes that the call held at its peak, in Python's and NumPy's allocations."""
        return self._measured(name, ("measure", name, args, kwargs), args, kwargs)

    def outgrows(self, most: int, seconds: float, name: str, many: Sequence[tuple[tuple[Any, ...], dict[str, Any]]]) -> bool:
        """Whether one of many calls holds more than `most` bytes before `seconds` are over, when it is broken off.

        many: the arguments of each, without names and by name. True also where there is no telling.
        """
        return self._measured(name, ("outgrows", most, seconds, name, list(many)), *many[0]).value is not False

    def _measured(self, name: str, request: tuple[Any, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Reply:
        called = describe_call(name, parameters_of(getattr(self._reference, name)), args, kwargs, secret=True)
        # By its sizes, not by its name: a long call that timed out must not cost a short one its time.
        return self._reply(called, called, request)

    def _construct(self, entry: Class, parameters: list[str], args: tuple[Any, ...], kwargs: dict[str, Any]) -> StudentObject:
        called, given = Call(entry.name, parameters, args, kwargs), copied((args, kwargs))
        self._fetched.clear()
        self._objects += 1
        self._steps.append(Step(called, ("construct", self._objects, entry.name, *given), works=True))
        return StudentObject(self, entry, called, self._objects, [("construct", entry.name, *given)])

    def _reply(self, subject: str, called: object, request: tuple[Any, ...]) -> Reply:
        return self._read(subject, called, self._ask(subject, called, request, {}))

    def _ask(self, subject: str, called: object, request: tuple[Any, ...], functions: dict[int, Callable[..., Any]]) -> list[Any]:
        return self._ask_all(subject, [called], [request], functions)[0][1]

    def _ask_all(
        self, subject: str, calls: Sequence[object], requests: Sequence[tuple[Any, ...]], functions: dict[int, Callable[..., Any]]
    ) -> list[tuple[bytes, list[Any]]]:
        """Requests as they were sent with their replies, after the steps that wait; where one of these failed, the test ends with that."""
        if requests[0][0] != "get":
            self._fetched.clear()
        self._run.ready()
        steps, self._steps = self._steps, []
        replies = self._run.requests(subject, calls, steps, requests, functions)
        match replies[0][1]:
            case ["before", int(number), *facts] if 0 <= number < len(steps):
                failed = steps[number]
                expect(self._read(failed.request[0], failed.called, facts)).to_be_numbers()  # writes the sentence about the exception
                raise self._run.lost(failed.called, Died("a step that failed with no word of it"))
        return replies

    def _read(self, subject: str, called: object, reply: list[Any], record: Callable[[Any, str], Recorded | None] | None = None) -> Reply:
        """What came back. record: takes note of a call with the value, and the name of an exception where one ended it."""
        match reply:
            case ["ok", value, bool(changed)]:
                return Reply(called, value, None, changed, "", True, None if record is None else record(value, ""))
            case ["ok", value]:
                return Reply(called, value, secret=True)
            case ["absent"]:
                told = say(f"`{subject}` is not there any more.", f"找不到 `{subject}`。")
                raise Unanswered("missing", told + say(" Keep the name that the stub had.", "请保留原来的名字。"))
            case ["unplain", str(what)]:
                told = say(
                    f"Called {called}.\nWhat came back is not plain data: numbers, arrays, strings, or tuples, lists and dicts of them.",
                    f"调用了 {called}。\n返回的不是普通数据（数、数组、字符串，或由它们组成的元组、列表、字典）。",
                )
                raise Unanswered("failed", told, detail=f"It was {cut(what, LONGEST_DETAIL)}.")
            case ["raised", *facts]:
                raised = self._run.read_exception(facts)
                if "NotImplementedError" in raised.kinds:
                    raise Unanswered("todo", say("Still to be written.", "尚未完成。"))
                made = None if record is None else record(None, raised.kinds[0] if raised.kinds else "")
                return Reply(called, raised=raised, secret=True, origin=made)
        raise self._run.lost(called, Died("a reply of unknown kind"))

    def close(self) -> None:
        """End the worker; after this nothing that the exercise started is alive."""
        self._run.stop()

    def begin(self, key: Key | None, coming: Sequence[Key] = ()) -> None:
        """A test begins, without the objects of the one before. key: its own in what is foreseen, None to foresee nothing.
        coming: those of the tests after it."""
        self._steps.clear()
        self._fetched = {owned: value for owned, value in self._fetched.items() if owned[0] == 0}
        self._objects = 0
        self._calls = []
        self._run.begin(key, coming)

    def is_ahead(self) -> bool:
        """Whether the worker was asked for more than the test has asked for so far."""
        return self._run.ahead is not None

    def begin_again(self) -> None:
        """The test begins once more, with a fresh worker that is asked for nothing ahead."""
        self._run.stop()
        self.begin(None)

    def settle(self) -> None:
        """The test ran to its end: do what still waits, so that it can fail."""
        if self._steps:
            self._ask("settle", self._steps[-1].called, ("nothing",), {})

    def end(self, passed: bool) -> Calls:
        """The test is over. Its calls of functions, for the diagnosis."""
        self._run.end(passed)
        return Calls(self._calls)


class Function:
    """A function of the student's, or a method: a call gives a reply. target: what it is in a request."""

    def __init__(self, student: Student, name: str, parameters: list[str], target: tuple[Any, ...] = ()):
        self._student, self._name, self._parameters = student, name, parameters
        self._target = target or ("call", name)

    def __call__(self, *args: Any, **kwargs: Any) -> Reply:
        """Call it; functions among the arguments can be called back."""
        functions: dict[int, Callable[..., Any]] = {}

        def crossing(value: Any) -> Any:
            if callable(value) and not isinstance(value, np.generic):
                functions[len(functions)] = value
                return wire.FunctionRef(len(functions) - 1)
            return value

        sent_args, sent_kwargs = tuple(map(crossing, args)), {key: crossing(value) for key, value in kwargs.items()}
        called = Call(self._name, self._parameters, args, kwargs)
        student = self._student
        ((sent, reply),) = student._ask_all(self._name, [called], [(*self._target, sent_args, sent_kwargs)], functions)
        return student._read(self._name, called, reply, self._record(sent, functions))

    def each(self, many: Sequence[tuple[Any, ...]], **kwargs: Any) -> list[Reply]:
        """Call it once with each of many tuples of arguments, which costs little more than one call."""
        student = self._student
        calls = [Call(self._name, self._parameters, args, kwargs) for args in many]
        replies = student._ask_all(self._name, calls, [(*self._target, args, kwargs) for args in many], {})
        return [student._read(self._name, call, reply, self._record(sent)) for call, (sent, reply) in zip(calls, replies, strict=True)]

    def _record(self, sent: bytes, functions: dict[int, Callable[..., Any]] | None = None) -> Callable[[Any, str], Recorded | None]:
        """Takes note of a call that was answered, but where the answer is large."""
        student = self._student

        def record(value: Any, raised: str) -> Recorded | None:
            if not is_small(value, LARGEST_KEPT):
                return None
            made = Recorded(student._exercise.id, self._name, sent, student._bounds, functions or {}, value=value, raised=raised)
            student._calls.append(made)
            return made

        return record


class Method(Function):
    """A method of an object: what was done with the object before belongs to where a reply comes from."""

    def __init__(self, thing: StudentObject, name: str):
        student, entry, _, number, self._steps, _ = thing._facts
        parameters = parameters_of(getattr(getattr(student._reference, entry.name), name))[1:]
        super().__init__(student, f"{entry.name}.{name}", parameters, ("method", number, name))
        self._attributes = thing._plain_attributes

    def _record(self, sent: bytes, functions: dict[int, Callable[..., Any]] | None = None) -> Callable[[Any, str], Recorded | None]:
        student, before = self._student, self._steps

        def record(value: Any, raised: str) -> Recorded | None:
            made = Recorded(student._exercise.id, self._name, sent, student._bounds, functions or {}, tuple(before), self._attributes)
            before.append(made)
            if not is_small(value, LARGEST_KEPT):
                return None
            made.value, made.raised = value, raised
            return made

        return record


@dataclass(frozen=True)
class Call:
    """A call as its words, which only a call that went wrong needs."""

    subject: str
    parameters: Sequence[str]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    def __str__(self) -> str:
        return describe_call(self.subject, self.parameters, self.args, self.kwargs, secret=True)


class StudentObject:
    """An object that a student's class made. It stays in the jail; methods and attributes give replies.

    steps: what was done with it so far, for the diagnosis. path: where a nested object hangs, "encoder_lstm.".
    """

    def __init__(self, student: Student, entry: Class, called: object, number: int, steps: list[Recorded | Done], path: str = ""):
        object.__setattr__(self, "_facts", (student, entry, called, number, steps, path))

    def __str__(self) -> str:
        return str(self._facts[2])

    def __getattr__(self, name: str) -> Any:
        student, entry, called, number, steps, path = self._facts
        if not path and name in entry.methods:
            return Method(self, name)
        words = f"{called}.{name}"
        reply = self._attribute(f"{path}{name}", words)
        if isinstance(reply.value, wire.Handle):
            return StudentObject(student, entry, words, number, steps, f"{path}{name}.")
        return reply

    def _attribute(self, path: str, words: str) -> Reply:
        """Whoever reads a second attribute will read more of them: these come along."""
        student, entry, _, number, _, _ = self._facts
        fetched = student._fetched
        if (number, path) not in fetched:
            known = {known for owner, known in fetched if owner == number}
            others = [] if not known else [other for other in all_attributes(entry) if other != path and other not in known]
            reply = student._ask(f"{entry.name}.{path}", words, ("get", number, path, others), {})
            match reply:
                case ["ok", value, dict(more)]:
                    fetched.update({(number, other): more[other] for other in others if isinstance(more.get(other), np.ndarray)})
                    fetched[number, path] = value
                case _:
                    return student._read(f"{entry.name}.{path}", words, reply)
        return Reply(words, value=fetched[number, path], secret=True)

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
        value = copied(value)
        student._fetched.clear()
        student._steps.append(Step(f"{called}.{name} = …", ("set", number, f"{path}{name}", value)))
        steps.append(("set", f"{path}{name}", (value,), {}))


def all_attributes(entry: Class) -> list[str]:
    """The paths of the attributes that hold arrays, also in objects within the object."""
    return [path for name in entry.attributes for path in (name, *(f"{name}.{inner}" for inner in NESTED))]


def copied(value: Any) -> Any:
    """A value that stays as it is now, whatever a test does with its arrays."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, (list, tuple)):
        return type(value)([copied(item) for item in value])
    return {key: copied(item) for key, item in value.items()} if isinstance(value, dict) else value


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
