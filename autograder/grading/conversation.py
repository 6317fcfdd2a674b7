"""One conversation with a worker in the jail: a request out, its reply back, questions answered in between.

What comes back is not trusted: it is bounded, decoded and matched with the request that is open. The caller gets
a reply, or an `Unanswered` that says how the test ends.
"""

from __future__ import annotations

import select
import time
from collections.abc import Callable
from typing import Any, Protocol

from autograder.inside import wire
from autograder.limits import Limits


class Unanswered(Exception):
    """No reply to a request. `status` is the test's; `told` the sentence, `detail` for the instructor alone."""

    def __init__(self, status: str, told: str, detail: str = ""):
        self.status, self.told, self.detail = status, told, detail
        super().__init__(told)


class Worker(Protocol):
    """What a conversation needs of a jailed process; `autograder.jail.Worker` is one."""

    connection: Any

    def fileno_of_death(self) -> int: ...

    def close(self) -> Any: ...


class TimedOut(Exception):
    """No reply in time."""


class Died(Exception):
    """The worker's process ended, or what it sent is no frame of ours."""


Answer = Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]


class Refused(Exception):
    """A question from the jail that is answered with an exception: the name of its class and a fixed text."""

    def __init__(self, kind: str, text: str):
        self.kind, self.text = kind, text
        super().__init__(text)


class Conversation:
    """Requests to one worker, one at a time."""

    def __init__(self, worker: Worker, limits: Limits):
        self.worker = worker
        self.limits = limits
        self.bounds = wire.Bounds(limits.answer, limits.depth + 4, limits.containers)
        self.sent = 0

    def request(self, kind: str, *rest: Any, seconds: float, answer: Answer) -> list[Any]:
        """Send a request and wait for its reply, `[status, *facts]`. Raises TimedOut or Died; the worker is then of no more use."""
        deadline = time.monotonic() + seconds
        if self._readable(0.0):
            raise Died("something was sent before it was asked for")
        self.sent += 1
        self._send(wire.encode([kind, self.sent, *rest], self.limits.depth + 4), deadline)
        questions, volume = 0, 0
        while True:
            message = self._receive(deadline)
            volume += len(message)
            match self._decode(message):
                case ["ask", int(number), what, tuple(args), dict(kwargs)] if wire.is_short(number):
                    questions += 1
                    if questions > self.limits.answers_back or volume > self.limits.answers_back_bytes:
                        raise Died("too many questions to earlier exercises")
                    self._send(self._answered(number, answer, what, args, kwargs), deadline)
                case [str(status), int(number), *facts] if number == self.sent and status != "ask":
                    return [status, *facts]
                case _:
                    raise Died("a reply that fits no request")

    def _answered(self, number: int, answer: Answer, what: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bytes:
        try:
            return wire.encode(["answer", number, answer(what, args, kwargs)], self.limits.depth + 4)
        except Refused as refused:
            return wire.encode(["refused", number, refused.kind, refused.text])

    def _decode(self, message: bytes) -> Any:
        try:
            return wire.decode(message, self.bounds)
        except wire.WireError as error:
            raise Died(str(error)) from None

    def _send(self, body: bytes, deadline: float) -> None:
        self.worker.connection.settimeout(max(0.01, deadline - time.monotonic()))
        try:
            self.worker.connection.sendall(wire.frame(body))
        except TimeoutError:
            raise TimedOut from None
        except OSError:
            raise Died("its process ended") from None

    def _receive(self, deadline: float) -> bytes:
        (size,) = wire.HEADER.unpack(self._read(wire.HEADER.size, deadline))
        if size > self.limits.answer + 1024:
            raise Died(f"an answer of more than {self.limits.answer >> 20} MiB")
        return self._read(size, deadline)

    def _read(self, size: int, deadline: float) -> bytes:
        data = bytearray()
        while len(data) < size:
            left = deadline - time.monotonic()
            if left <= 0 or not self._readable(left):
                raise TimedOut
            try:
                got = self.worker.connection.recv(min(size - len(data), 1 << 20))
            except TimeoutError:
                raise TimedOut from None
            except OSError:
                got = b""
            if not got:
                raise Died("its process ended")
            data += got
        return bytes(data)

    def _readable(self, seconds: float) -> bool:
        """Whether bytes are there; Died where the process has ended and left none."""
        poll = select.poll()
        connection, death = self.worker.connection.fileno(), self.worker.fileno_of_death()
        poll.register(connection, select.POLLIN)
        poll.register(death, select.POLLIN)
        ready = dict(poll.poll(seconds * 1000))
        if connection in ready:
            return True
        if death in ready:
            raise Died("its process ended")
        return False
