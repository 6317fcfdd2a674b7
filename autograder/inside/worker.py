"""Serves one exercise of one submission from inside the jail: imports it, answers calls, holds its objects.

It knows no test and no expected value. Earlier exercises that this one builds on are stood in for by
functions and classes that ask the grader; what the student's own code does is not trusted by anybody outside.
"""

from __future__ import annotations

import copy
import importlib
import os
import socket
import sys
import threading
import tracemalloc
from typing import Any

import numpy as np

from . import cells, wire
from .stand_ins import StandIns


class Server:
    """Answers the grader's requests, one at a time, until the connection closes."""

    def __init__(self, connection: socket.socket, setup: dict[str, Any]):
        self.connection = connection
        self.setup = setup
        self.bounds = wire.Bounds(**setup["bounds"])
        self.root = os.getcwd() if setup.get("root") is None else setup["root"]
        self.objects: dict[int, Any] = {}
        self.module: Any = None
        self.asking = threading.RLock()
        self.asked = 0

    def run(self) -> None:
        """The loop: a request in, a reply out."""
        while (body := self._receive()) is not None:
            kind, number, *rest = wire.decode(body, self.bounds, writable=True)
            try:
                reply = getattr(self, f"_on_{kind}")(*rest)
            except BaseException as error:  # SystemExit and KeyboardInterrupt of the student's too
                reply = self._exception(error)
            flush_output()
            self._reply(number, reply)

    # One method per kind of request. Each returns the reply without its number.

    def _on_import(self) -> list[Any]:
        stand_ins = StandIns(self.setup["stand_ins"], self.ask, hollow=self.setup["hollow"])
        if self.setup["cells"] is not None:
            plan = cells.plan(self.setup["exercise"], self.setup["entry_points"], [cells.Cell(*cell) for cell in self.setup["cells"]])
            if plan is None:
                return ["absent"]
            self.module = cells.run(plan, stand_ins, lean=self.setup["hollow"])
        else:
            stand_ins.install()
            self.module = importlib.import_module(f"exercises.{self.setup['exercise']}")
        return ["ok", None]

    def _on_call(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        if not hasattr(self.module, name):
            return ["absent"]
        return self._call(getattr(self.module, name), args, kwargs, keep=False)

    def _on_construct(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        if not hasattr(self.module, name):
            return ["absent"]
        return self._call(getattr(self.module, name), args, kwargs, keep=True)

    def _on_method(self, number: int, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        thing = self.objects[number]
        return self._call(getattr(thing, name), args, kwargs, keep=False) if hasattr(thing, name) else ["absent"]

    def _on_measure(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """The bytes that a call holds at its peak, beyond what was there before it."""
        if not hasattr(self.module, name):
            return ["absent"]
        function = getattr(self.module, name)
        tracemalloc.start()
        try:
            before = tracemalloc.get_traced_memory()[0]
            tracemalloc.reset_peak()
            function(*args, **kwargs)
            return ["ok", tracemalloc.get_traced_memory()[1] - before]
        finally:
            tracemalloc.stop()

    def _on_value(self, name: str) -> list[Any]:
        return self._plain_or_handle(getattr(self.module, name)) if hasattr(self.module, name) else ["absent"]

    def _on_get(self, number: int, name: str) -> list[Any]:
        thing = self.objects[number]
        return self._plain_or_handle(getattr(thing, name)) if hasattr(thing, name) else ["absent"]

    def _on_set(self, number: int, name: str, value: Any) -> list[Any]:
        setattr(self.objects[number], name, value)
        return ["ok", None]

    def _on_forget(self) -> list[Any]:
        self.objects.clear()
        return ["ok", None]

    def _call(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], *, keep: bool) -> list[Any]:
        pristine = copy.deepcopy((args, kwargs))
        args, kwargs = self._with_functions(args), {key: self._with_functions(value) for key, value in kwargs.items()}
        value = function(*args, **kwargs)
        if keep:
            return ["ok", self._keep(value)]
        return ["ok", value, differ(pristine[0], args) or differ(pristine[1], kwargs)]

    def _with_functions(self, value: Any) -> Any:
        """Functions of the grader's among the arguments become something that the student's code can call."""
        if isinstance(value, wire.FunctionRef):
            return lambda *args, **kwargs: self.ask(value, args, kwargs)
        if isinstance(value, tuple):
            return tuple(self._with_functions(item) for item in value)
        return value

    def _keep(self, value: Any) -> wire.Handle:
        number = len(self.objects)
        self.objects[number] = value
        return wire.Handle(number)

    def _plain_or_handle(self, value: Any) -> list[Any]:
        plain = value is None or isinstance(value, (bool, int, float, str, bytes, list, tuple, dict, np.ndarray, np.generic))
        return ["ok", value if plain else self._keep(value), False]

    # The wire.

    def ask(self, what: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """Call back out of the jail: an earlier exercise, or a function that came as an argument."""
        with self.asking:
            self.asked += 1
            number = self.asked
            self._send(["ask", number, what, tuple(plain_argument(arg) for arg in args), {k: plain_argument(v) for k, v in kwargs.items()}])
            body = self._receive()
        if body is None:
            os._exit(0)
        kind, answered, *rest = wire.decode(body, self.bounds, writable=True)
        if answered != number:
            raise RuntimeError("an answer to another question")
        if kind == "refused":
            raise REFUSALS.get(rest[0], RuntimeError)(rest[1])
        return rest[0]

    def _reply(self, number: int, reply: list[Any]) -> None:
        try:
            self._send([reply[0], number, *reply[1:]])
        except wire.NotPlain as error:
            self._send(["unplain", number, str(error)[:200]])
        except MemoryError:
            self._send(["unplain", number, "a value too large to send"])
        except OSError:
            raise
        except BaseException:  # its own methods raise, or it is text that is none
            self._send(["unplain", number, "a value that cannot be read"])

    def _send(self, message: list[Any]) -> None:
        body = wire.encode(message, self.bounds.depth + 2)
        if len(body) > self.bounds.size:
            raise wire.NotPlain(f"an answer of more than {self.bounds.size >> 20} MiB")
        self.connection.sendall(wire.frame(body))

    def _receive(self) -> bytes | None:
        head = self._read(wire.HEADER.size)
        return None if head is None else self._read(wire.HEADER.unpack(head)[0])

    def _read(self, size: int) -> bytes | None:
        data = bytearray(size)
        view, done = memoryview(data), 0
        while done < size:
            got = self.connection.recv_into(view[done:])
            if got == 0:
                return None
            done += got
        return bytes(data)

    def _exception(self, error: BaseException) -> list[Any]:
        """The exception as plain data: names of its classes, its text, the student's own line."""
        try:
            # As `type` itself has them: a metaclass may say anything.
            names = vars(type)["__name__"].__get__
            kinds = [names(cls)[:100] for cls in vars(type)["__mro__"].__get__(type(error))[:12]]
        except BaseException:
            kinds = [BaseException.__name__]
        try:
            detail = str(error)[:2000]
        except BaseException:
            detail = ""
        try:
            file, line = self._own_line(error)
        except BaseException:
            file, line = "", 0
        return ["raised", kinds, detail, file, line]

    def _own_line(self, error: BaseException) -> tuple[str, int]:
        if isinstance(error, SyntaxError) and isinstance(error.filename, str):
            return self._relative(error.filename), int(error.lineno or 0)
        found = ("", 0)
        trace = error.__traceback__
        while trace is not None:
            name = self._relative(trace.tb_frame.f_code.co_filename)
            if name:
                found = (name, trace.tb_lineno)
            trace = trace.tb_next
        return found

    def _relative(self, filename: str) -> str:
        if filename.startswith("<cell "):
            return filename
        path = os.path.join(self.root, "")
        return filename[len(path) :] if filename.startswith(path) else ""


REFUSALS = {error.__name__: error for error in (ValueError, TypeError, IndexError, KeyError, ZeroDivisionError, PermissionError)}


def plain_argument(value: Any) -> Any:
    """An argument for the grader: a subclass of an array is as good as the array here."""
    if isinstance(value, np.ndarray) and type(value) is not np.ndarray:
        return np.array(value, subok=False)
    return value


def differ(before: Any, after: Any) -> bool:
    """Whether an array among the arguments is not what it was."""
    if isinstance(before, np.ndarray):
        return not (
            isinstance(after, np.ndarray)
            and before.shape == after.shape
            and before.dtype == after.dtype
            and before.tobytes() == after.tobytes()
        )
    if isinstance(before, (list, tuple)):
        return len(before) != len(after) or any(map(differ, before, after))
    if isinstance(before, dict):
        return any(differ(before[key], after.get(key)) for key in before)
    return False


def flush_output() -> None:
    """What the student printed goes out with the call that printed it."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:  # the student may have put anything there
            pass


def main(connection: socket.socket, setup: dict[str, Any]) -> None:
    """Serve until the grader closes the connection. `setup` comes from autograder.grading.student."""
    Server(connection, setup).run()
