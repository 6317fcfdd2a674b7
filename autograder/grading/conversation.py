"""One conversation with a worker in the jail: a request out, its reply back, questions answered in between.

What comes back is not trusted: it is bounded, decoded and matched with the request that is open. The caller gets
a reply, or an `Unanswered` that says how the test ends.
"""

from __future__ import annotations

import select
import time
from collections.abc import Callable, Sequence
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


CHUNK = 1 << 16
Answer = Callable[[bytes], bytes]  # the body of a question -> the body of its answer


class Refused(Exception):
    """A question from the jail that is answered with an exception: the name of its class and a fixed text."""

    def __init__(self, kind: str, text: str):
        self.kind, self.text = kind, text
        super().__init__(text)


class Conversation:
    """Messages to one worker, one at a time, each with some requests."""

    def __init__(self, worker: Worker, limits: Limits):
        self.worker = worker
        self.limits = limits
        self.bounds = wire.Bounds(limits.answer, limits.depth + 4, limits.containers)
        self.sent = 0
        self.owed = 1  # replies that are still to come; the first is the one that a worker gives by itself when it starts
        self.unread = b""  # what came together with the end of a frame
        worker.connection.setblocking(False)
        self.to_read, self.to_write = select.poll(), select.poll()
        self.fileno = worker.connection.fileno()
        self.to_read.register(self.fileno, select.POLLIN)
        self.to_read.register(worker.fileno_of_death(), select.POLLIN)
        self.to_write.register(self.fileno, select.POLLOUT)

    def ask(self, requests: Sequence[bytes], *, answers: Sequence[bytes] = (), seconds: float) -> None:
        """Send requests, as bodies; FORGET may be among them, and has no reply. Raises TimedOut or Died; the worker is then of no more use.

        answers: locked ones to questions that may come up.
        """
        if self.unread or self._readable(0.0):
            raise Died("something was sent before it was asked for")
        self.sent += 1
        self.owed = sum(request != wire.FORGET for request in requests)
        self._send(wire.encode_simple(self.sent, requests, answers), time.monotonic() + seconds)

    def replies(self, *, seconds: float, answer: Answer) -> list[bytes]:
        """Wait for the next replies, as bodies, in the order of the requests: one or more of those that are owed."""
        deadline = time.monotonic() + seconds
        questions, volume = 0, 0
        while True:
            message = self._receive(deadline)
            volume += len(message)
            match self.decode(message):
                case ["ask", int(number), bytes(question), list(bodies)] if wire.is_short(number):
                    questions += 1
                    if questions > self.limits.answers_back or volume > self.limits.answers_back_bytes:
                        raise Died("too many questions to earlier exercises")
                    self._send(self._answered(number, answer, question), deadline)
                case ["replies", int(number), [_, *_] as bodies] if number == self.sent:
                    pass
                case _:
                    raise Died("a reply that fits no request")
            self.owed -= len(bodies)
            if self.owed < 0:
                raise Died("more replies than requests")
            if bodies:
                return bodies

    def _answered(self, number: int, answer: Answer, question: bytes) -> bytes:
        try:
            return wire.encode_simple("answer", number, answer(question))
        except Refused as refused:
            return wire.encode_simple("refused", number, refused.kind, refused.text)
        except wire.WireError as error:
            raise Died(str(error)) from None

    def decode(self, message: bytes) -> Any:
        """What a body from the worker holds; Died where it is none."""
        try:
            return wire.decode(message, self.bounds)
        except wire.WireError as error:
            raise Died(str(error)) from None

    def _send(self, body: bytes, deadline: float) -> None:
        left = memoryview(wire.frame(body))
        while True:
            try:
                left = left[self.worker.connection.send(left) :]
            except BlockingIOError:
                pass
            except OSError:
                raise Died("its process ended") from None
            if not left:
                return
            if not self.to_write.poll(max(0.0, deadline - time.monotonic()) * 1000):
                raise TimedOut

    def _receive(self, deadline: float) -> bytes:
        """One frame."""
        data = self.unread
        while len(data) < wire.HEADER.size:
            data += self._read(deadline)
        size = wire.HEADER.size + wire.HEADER.unpack_from(data)[0]
        if size > self.limits.answer + 1024:
            raise Died(f"an answer of more than {self.limits.answer >> 20} MiB")
        if len(data) < size:
            parts = bytearray(data)
            while len(parts) < size:
                parts += self._read(deadline)
            data = bytes(parts)
        self.unread = data[size:]
        return data[wire.HEADER.size : size]

    def _read(self, deadline: float) -> bytes:
        """What is there, once something is."""
        left = deadline - time.monotonic()
        if left <= 0 or not self._readable(left):
            raise TimedOut
        try:
            got: bytes = self.worker.connection.recv(CHUNK)
        except OSError:
            got = b""
        if not got:
            raise Died("its process ended")
        return got

    def _readable(self, seconds: float) -> bool:
        """Whether bytes are there; Died where the process has ended and left none."""
        ready = [descriptor for descriptor, _ in self.to_read.poll(seconds * 1000)]
        if self.fileno in ready:
            return True
        if ready:
            raise Died("its process ended")
        return False
