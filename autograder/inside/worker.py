"""Serves one exercise of one submission from inside the jail: imports it, answers calls, holds its objects.

It knows no test and no expected value. Earlier exercises that this one builds on are stood in for by
functions and classes that ask the grader; what the student's own code does is not trusted by anybody outside.
"""

from __future__ import annotations

import importlib
import os
import socket
import sys
import threading
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import cells, memory, sealed, wire
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
        self.number = 0  # of the message whose requests are served
        self.replies: list[bytes] = []  # to be sent
        self.asking = threading.RLock()
        self.asked = 0
        self.known: dict[bytes, bytes] = {}  # question -> answer
        self.sealed: dict[bytes, bytes] = {}  # answers that came with the requests

    def run(self) -> None:
        """The import first, unasked; then the loop: requests in, replies out."""
        imported = self._body(self._answered("import", []))  # questions in between take along what waits to be sent
        self.replies.append(imported)
        self._send_replies()
        while self.serve_one():
            pass

    def serve_one(self) -> bool:
        """The requests of one message and their replies; False where there is none any more.

        Replies wait for one another as long as none gets old: a message costs more than most calls.
        """
        message = self._receive()
        if message is None:
            return False
        self.number, requests, answers = wire.decode(message, self.bounds)
        self.sealed = sealed.unpacked(answers)
        sent = time.monotonic()
        for body in requests:
            if body == wire.FORGET:
                self.objects.clear()
                continue
            kind, *rest = wire.decode(body, self.bounds)
            reply = self._body(self._after(*rest) if kind == "after" else self._answered(kind, rest))
            self.replies.append(reply)
            if len(reply) > CHUNK or time.monotonic() - sent > SECONDS_TOGETHER:
                self._send_replies()
                sent = time.monotonic()
        self._send_replies()
        return True

    def _send_replies(self) -> None:
        if self.replies:
            replies, self.replies = self.replies, []
            if sum(map(len, replies)) <= CHUNK:
                return self.connection.sendall(wire.frame(wire.encode_simple("replies", self.number, replies)))
            for reply in replies:  # large ones are not copied once more
                head = wire.encode_simple("replies", self.number, [])[:-1] + b"\x91\xc6" + wire.HEADER.pack(len(reply))
                self.connection.sendall(wire.HEADER.pack(len(head) + len(reply)) + head)
                self.connection.sendall(reply)

    def _after(self, steps: list[list[Any]], kind: str, *rest: Any) -> list[Any]:
        """The reply to a request that comes after some steps whose own replies nobody needs, unless one of them fails."""
        for i, (step, *facts) in enumerate(steps):
            reply = self._answered(step, facts)
            if reply[0] != "ok":
                return ["before", i, *reply]
        return self._answered(kind, rest)

    def _answered(self, kind: str, rest: Sequence[Any]) -> list[Any]:
        try:
            reply = getattr(self, f"_on_{kind}")(*rest)
        except BaseException as error:  # SystemExit and KeyboardInterrupt of the student's too
            reply = self._exception(error)
        flush_output()
        return reply

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
        return self._call(getattr(self.module, name), args, kwargs)

    def _on_construct(self, number: int, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        if not hasattr(self.module, name):
            return ["absent"]
        self.objects[number] = getattr(self.module, name)(*self._own(args), **self._own(kwargs))
        return ["ok"]

    def _on_method(self, number: int, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        thing = self.objects[number]
        return self._call(getattr(thing, name), args, kwargs) if hasattr(thing, name) else ["absent"]

    def _on_measure(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """The bytes that a call holds at its peak."""
        if not hasattr(self.module, name):
            return ["absent"]
        return ["ok", memory.peak_of(getattr(self.module, name), self._own(args), self._own(kwargs))]

    def _on_outgrows(self, most: int, seconds: float, name: str, many: Sequence[tuple[tuple[Any, ...], dict[str, Any]]]) -> list[Any]:
        """Whether one of some calls soon holds more than `most` bytes, or there is no telling."""
        if not hasattr(self.module, name):
            return ["absent"]
        calls = [(self._own(args), self._own(kwargs)) for args, kwargs in many]
        return ["ok", memory.outgrow(most, seconds, getattr(self.module, name), calls)]

    def _on_value(self, name: str) -> list[Any]:
        return ["ok", plain_or_object(getattr(self.module, name))] if hasattr(self.module, name) else ["absent"]

    def _on_get(self, number: int, path: str, others: Sequence[str]) -> list[Any]:
        """An attribute, `W_Q` or `encoder_lstm.W`; and what else of the object is there of other attributes."""
        try:
            value = plain_or_object(self._attribute(number, path))
        except AttributeError:
            return ["absent"]
        more = {}
        for other in others:
            try:
                found = self._attribute(number, other)
            except BaseException:  # who asks for it will be told
                continue
            if found is None or (type(found) is np.ndarray and found.dtype.kind in "biuf" and found.nbytes <= CHUNK):
                more[other] = found
        return ["ok", value, more]

    def _attribute(self, number: int, path: str) -> Any:
        thing = self.objects[number]
        for name in path.split("."):
            thing = getattr(thing, name)
        return thing

    def _on_set(self, number: int, path: str, value: Any) -> list[Any]:
        outer, _, name = path.rpartition(".")
        setattr(self._attribute(number, outer) if outer else self.objects[number], name, self._own(value))
        return ["ok"]

    def _on_nothing(self) -> list[Any]:
        return ["ok"]

    def _call(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """What came is read-only; the call gets copies, which are compared with it afterwards."""
        given, named = self._own(args), self._own(kwargs)
        value = function(*given, **named)
        return ["ok", value, differ(args, given) or differ(kwargs, named)]

    def _own(self, value: Any) -> Any:
        """A copy of an argument that may be written to, with functions of the grader's as something that can be called."""
        if isinstance(value, np.ndarray):
            return value.copy()
        if isinstance(value, tuple):
            return tuple([self._own(item) for item in value])
        if isinstance(value, list):
            return [self._own(item) for item in value]
        if isinstance(value, dict):
            return {key: self._own(item) for key, item in value.items()}
        if isinstance(value, wire.FunctionRef):
            return lambda *args, **kwargs: self.ask(value, args, kwargs)
        return value

    # The wire.

    def ask(self, what: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """Call back out of the jail: an earlier exercise, or a function that came as an argument."""
        with self.asking:
            self.asked += 1
            number = self.asked
            question = [what, tuple(map(plain_argument, args)), {name: plain_argument(value) for name, value in kwargs.items()}]
            # In a body of its own, so that a question that was asked before, by whomever, is known by its bytes.
            asked = wire.encode(question, self.bounds.depth)
            known = self.known.get(asked) or sealed.opened(self.sealed, asked)
            if known is not None:
                return wire.decode(known, self.bounds, writable=True)
            replies, self.replies = self.replies, []
            self.connection.sendall(wire.frame(wire.encode_simple("ask", number, asked, replies)))
            body = self._receive()
        if body is None:
            os._exit(0)
        kind, answered, *rest = wire.decode(body, self.bounds)
        if answered != number:
            raise RuntimeError("an answer to another question")
        if kind == "refused":
            raise REFUSALS.get(rest[0], RuntimeError)(rest[1])
        if isinstance(what, str) and len(asked) + len(rest[0]) < CHUNK and len(self.known) < MOST_KNOWN:
            self.known[asked] = rest[0]  # an earlier exercise has one answer to one question; a test's own function may have more
        return wire.decode(rest[0], self.bounds, writable=True)

    def _body(self, reply: list[Any]) -> bytes:
        """A reply as a body; where it cannot cross, one that says so."""
        try:
            body = wire.encode(reply, self.bounds.depth + 2)
            if len(body) <= self.bounds.size:
                return body
            what = f"an answer of more than {self.bounds.size >> 20} MiB"
        except wire.NotPlain as error:
            what = str(error)[:200]
        except MemoryError:
            what = "a value too large to send"
        except BaseException:  # its own methods raise, or it is text that is none
            what = "a value that cannot be read"
        return wire.encode(["unplain", what])

    def _receive(self) -> bytes | None:
        """One frame; the grader sends the next one when it has its reply."""
        data = self.connection.recv(CHUNK)
        while data and len(data) < wire.HEADER.size:
            data += self.connection.recv(CHUNK)
        if not data:
            return None
        left = wire.HEADER.size + wire.HEADER.unpack_from(data)[0] - len(data)
        if left > 0:
            parts = bytearray(len(data) + left)
            parts[: len(data)] = data
            view = memoryview(parts)[len(data) :]
            while view:
                got = self.connection.recv_into(view)
                if got == 0:
                    return None
                view = view[got:]
            data = bytes(parts)
        return data[wire.HEADER.size :]

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


CHUNK = 1 << 16
MOST_KNOWN = 256
SECONDS_TOGETHER = 0.05  # how long replies wait for one another
REFUSALS = {error.__name__: error for error in (ValueError, TypeError, IndexError, KeyError, ZeroDivisionError, PermissionError)}


def plain_or_object(value: Any) -> Any:
    """A plain value as it is, for anything else a sign that it is an object, which stays here."""
    plain = value is None or isinstance(value, (bool, int, float, str, bytes, list, tuple, dict, np.ndarray, np.generic))
    return value if plain else wire.Handle(0)


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
