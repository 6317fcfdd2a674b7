"""Calls your code for the tests, and keeps what came back with the call that it belongs to."""

from __future__ import annotations

import copy
import importlib
import inspect
import linecache
import sys
import traceback
from pathlib import Path
from types import FrameType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from .course import TITLES
from .expect import Raised, Reply, Wrong, describe_call, expect
from .language import say

TESTS = Path(__file__).resolve().parent
RELEASE = TESTS.parent.parent  # the student's folder: what lies in it is theirs, but for the tests and a virtual environment

LONGEST_DETAIL = 200


class Todo(Exception):
    """A stub is still to be written: `what` is its name. `exercise`, which may be an earlier one, is whose it is; empty in a notebook."""

    def __init__(self, what: str, exercise: str = ""):
        self.what, self.exercise = what, exercise
        super().__init__(what)

    @classmethod
    def met(cls, error: NotImplementedError) -> Todo:
        """The stub that raised."""
        *_, (frame, _) = traceback.walk_tb(error.__traceback__)
        module = str(frame.f_globals.get("__name__", "")).rpartition(".")[2]
        name = str(getattr(frame.f_code, "co_qualname", frame.f_code.co_name))  # Python 3.10 has the short name only
        return cls(name, module if module in TITLES else "")


class DoesNotImport(Wrong):
    """A module cannot be imported; `cause` is the exception, which may lie in the module of an earlier exercise."""

    def __init__(self, module: str, error: BaseException):
        self.cause = describe_exception(error)
        super().__init__(
            f"`import exercises.{module}`",
            say(f"It raised {self.cause}.", f"它抛出了 {self.cause}。"),
            say("The file must import without an error.", "这个文件必须能正常导入。"),
        )


class Student:
    """Your code of one exercise: its module, or the names of a notebook. `student.softmax(x)` calls it and returns a `Reply`."""

    def __init__(self, module: str, found: ModuleType | SimpleNamespace | None = None):
        self._module, self._found = module, found

    def __getattr__(self, name: str) -> Any:
        thing = self._attribute(name)
        if not callable(thing):
            return Reply(name, value=thing)
        if inspect.isclass(thing):
            return lambda *args, **kwargs: _construct(name, thing, args, kwargs)
        return lambda *args, **kwargs: call(name, thing, args, kwargs)

    def _attribute(self, name: str) -> Any:
        try:
            found = self._found or importlib.import_module(f"exercises.{self._module}")
        except NotImplementedError as error:
            raise Todo.met(error) from None
        except (Exception, SystemExit) as error:
            raise DoesNotImport(self._module, error) from None
        if hasattr(found, name):
            return getattr(found, name)
        if self._found is not None:
            raise Wrong(
                name,
                say(f"The notebook has no `{name}`.", f"笔记本里没有 `{name}`。"),
                say("Keep the name that the stub had, and run its cell first.", "请保留原来的名字，并先运行它的单元格。"),
            )
        raise Wrong(
            name,
            say(f"{self._module}.py has no `{name}`.", f"{self._module}.py 里没有 `{name}`。"),
            say("Keep the name that the stub had.", "请保留原来的名字。"),
        )


class StudentObject:
    """An object made by your class: methods and attributes come back as replies, attributes can be set."""

    def __init__(self, called: str, instance: Any):
        object.__setattr__(self, "_called", called)
        object.__setattr__(self, "_instance", instance)

    def __str__(self) -> str:
        return str(self._called)

    def __getattr__(self, name: str) -> Any:
        called = f"{self._called}.{name}"
        try:
            thing = getattr(self._instance, name)
        except AttributeError:
            raise Wrong(
                called,
                say(f"The object has no `{name}`.", f"对象没有 `{name}`。"),
                say(f"`{name}` is part of the exercise.", f"`{name}` 是练习的一部分。"),
            ) from None
        if inspect.ismethod(thing) or inspect.isfunction(thing):
            return lambda *args, **kwargs: call(called, thing, args, kwargs)
        if hasattr(thing, "__dict__"):
            return StudentObject(called, thing)
        return Reply(called, value=thing)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._instance, name, copy.deepcopy(value))


def call(name: str, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Reply:
    """Call the student's function on copies of the arguments; NotImplementedError means still to do."""
    called = describe_call(name, parameters_of(function), args, kwargs, secret=False)
    given, named = copy.deepcopy(args), copy.deepcopy(kwargs)
    try:
        value = function(*given, **named)
    except NotImplementedError as error:
        raise Todo.met(error) from None
    except (Exception, SystemExit) as error:
        return Reply(called, raised=raised(error))
    changed = any(map(differ, (*args, *kwargs.values()), (*given, *named.values())))
    return Reply(called, value=value, changed_arguments=changed)


def differ(before: Any, after: Any) -> bool:
    """Whether an array, or a list of numbers or arrays, is not what it was."""
    if isinstance(before, np.ndarray):
        return not np.array_equal(before, after, equal_nan=before.dtype.kind == "f")
    if isinstance(before, (list, tuple)):
        return len(before) != len(after) or any(map(differ, before, after))
    return False


def _construct(name: str, cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> StudentObject:
    reply = call(name, cls, args, kwargs)
    if reply.raised is not None:
        expect(reply).to_match(None)  # writes the sentence about the exception
    return StudentObject(reply.called, reply.value)


def parameters_of(function: Any) -> list[str]:
    """The names of a function's parameters, none where it does not tell."""
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []


def raised(error: BaseException) -> Raised:
    """The exception with the student's own line that it came from."""
    kinds = tuple(cls.__name__ for cls in type(error).__mro__)
    return Raised(kinds, detail=_detail(error), line=own_line(error))


def describe_exception(error: BaseException) -> str:
    """Type, message and the student's own line: `NameError: name 'y' is not defined (softmax.py, line 3: y + 1)`."""
    line, detail = own_line(error), _detail(error)
    return type(error).__name__ + (f": {detail}" if detail else "") + (say(f" ({line})", f"（{line}）") if line else "")


def _detail(error: BaseException) -> str:
    """The first line of an exception's own text; the rest can be pages."""
    if isinstance(error, SyntaxError):
        return str(error.msg)
    return next(iter(str(error).splitlines()), "")[:LONGEST_DETAIL]


def own_line(error: BaseException) -> str:
    """The last line of the student's own code in the traceback; empty where none is in it."""
    if isinstance(error, SyntaxError) and error.filename:
        return _in_words(Path(error.filename).name, error.lineno or 0, error.text or "")
    for frame, number in reversed(list(traceback.walk_tb(error.__traceback__))):
        name = _own_name(frame)
        if name:
            return _in_words(name, number, linecache.getline(frame.f_code.co_filename, number, frame.f_globals))
    return ""


def _own_name(frame: FrameType) -> str:
    """How to call the place of a frame: a file of the student's, a cell of their notebook; empty where it is neither."""
    filename = frame.f_code.co_filename
    if frame.f_globals.get("__name__") == "__main__":
        shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
        cell = shell.compile.format_code_name(filename) if shell is not None else None
        return " ".join(cell) if cell else Path(filename).name
    if filename.startswith("<"):  # code that no file holds
        return ""
    path = Path(filename).resolve()
    mine = RELEASE in path.parents and TESTS not in path.parents and "site-packages" not in path.parts
    return path.name if mine else ""


def _in_words(name: str, number: int, code: str) -> str:
    code = code.strip()[:LONGEST_DETAIL]
    return say(f"{name}, line {number}: {code}", f"{name} 第 {number} 行：{code}")
