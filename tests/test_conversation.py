"""For each request a reply: what a worker sends instead is the student's loss and never an exception of the grader's."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from autograder.grading.conversation import Conversation, Died, Refused, TimedOut
from autograder.inside import wire
from autograder.limits import DEFAULT

LIMITS = replace(DEFAULT, answer=1 << 20, answers_back=50)


class FakeWorker:
    """The far end of a wire, in a thread, with a script of what it does with a request."""

    def __init__(self, script: Callable[[socket.socket, list], None]):
        self.connection, self.far = socket.socketpair()
        self.dead, self.die = os.pipe()
        self.thread = threading.Thread(target=self._serve, args=(script,), daemon=True)
        self.thread.start()

    def _serve(self, script: Callable[[socket.socket, list], None]) -> None:
        try:
            script(self.far, self.read())
        except OSError:
            pass

    def read(self) -> list:
        size = wire.HEADER.unpack(self.far.recv(4, socket.MSG_WAITALL))[0]
        return wire.decode(self.far.recv(size, socket.MSG_WAITALL), wire.Bounds(1 << 26, 40, 10**6))

    def end(self) -> None:
        os.write(self.die, b"x")

    def fileno_of_death(self) -> int:
        return self.dead

    def close(self) -> None:
        self.connection.close()
        self.far.close()
        self.thread.join(5)
        os.close(self.dead)
        os.close(self.die)


@pytest.fixture
def talk() -> Iterator[Callable[..., list]]:
    workers: list[FakeWorker] = []

    def start(script: Callable[[socket.socket, list], None], *, seconds: float = 5.0) -> list:
        worker = FakeWorker(script)
        workers.append(worker)
        return one_reply(Conversation(worker, LIMITS), seconds)

    yield start
    for worker in workers:
        worker.close()


REQUEST = wire.encode(["call", "softmax", (np.ones(3),), {}])


def one_reply(conversation: Conversation, seconds: float = 5.0, answer: Callable[[bytes], bytes] = lambda question: question) -> list:
    conversation.ask([REQUEST], seconds=seconds)
    (body,) = conversation.replies(seconds=seconds, answer=answer)
    return conversation.decode(body)


def send(far: socket.socket, message: object) -> None:
    far.sendall(wire.frame(wire.encode(message, 40)))


def reply(far: socket.socket, number: int, *replies: object) -> None:
    send(far, ["replies", number, [wire.encode(each) for each in replies]])


def test_a_reply_comes_back(talk: Callable[..., list]) -> None:
    assert talk(lambda far, message: reply(far, message[0], ["ok", 7, False])) == ["ok", 7, False]


def test_replies_come_in_the_order_of_the_requests_however_they_are_sent() -> None:
    def script(far: socket.socket, message: list) -> None:
        for number, part in enumerate(([0, 1], [2], [3, 4, 5])):
            send(far, ["replies", message[0], [wire.encode(["ok", i]) for i in part]])
            time.sleep(0.02 * number)

    worker = FakeWorker(script)
    conversation = Conversation(worker, LIMITS)
    conversation.ask([REQUEST] * 6, seconds=5)
    found: list = []
    while conversation.owed:
        found += conversation.replies(seconds=5, answer=lambda question: question)
    assert [conversation.decode(body)[1] for body in found] == [0, 1, 2, 3, 4, 5]
    worker.close()


@pytest.mark.parametrize(
    "message",
    [
        ["replies", 99, [b"\x91\xa2ok"]],
        ["replies", 0, [b"\x91\xa2ok"]],
        ["replies", 1, []],
        ["replies", 1, [b"\x91\xa2ok", b"\x91\xa2ok"]],
        ["replies", 1],
        ["replies", 1.0, [b"\x91\xa2ok"]],
        ["replies", 1, b"\x91\xa2ok"],
        ["ok", 1, 7],
        "replies",
        7,
        None,
        {},
        ["ask", 1],
        ["ask", 1, ["softmax.softmax", (1,), {}], []],
        ["ask", 1, b"\x01"],
        ["ask", "1", b"\x01", []],
        ["ask", 1 << 4095, b"\x01", []],  # a number that no answer could carry
        ["ask", 1, b"\x01", [b"\x91\xa2ok", b"\x91\xa2ok"]],
    ],
)
def test_a_reply_that_fits_no_request_ends_the_worker(talk: Callable[..., list], message: object) -> None:
    with pytest.raises(Died):
        talk(lambda far, request: send(far, message))


@pytest.mark.parametrize(
    "raw",
    [b"\xff\xff\xff\xff", wire.HEADER.pack(LIMITS.answer + 4096), wire.frame(b"\xc1"), wire.frame(b""), b"HTTP/1.1 200 OK\r\n\r\n" * 9],
)
def test_garbage_ends_the_worker(talk: Callable[..., list], raw: bytes) -> None:
    def script(far: socket.socket, request: list) -> None:
        far.sendall(raw)
        far.shutdown(socket.SHUT_WR)

    with pytest.raises(Died):
        talk(script)


def test_half_a_frame_is_a_time_out(talk: Callable[..., list]) -> None:
    start = time.monotonic()
    with pytest.raises(TimedOut):
        talk(lambda far, request: far.sendall(wire.frame(wire.encode(["replies", 1, [b"x"]]))[:-1]), seconds=0.3)
    assert time.monotonic() - start < 2


def test_a_frame_that_trickles_in_is_a_time_out(talk: Callable[..., list]) -> None:
    def script(far: socket.socket, request: list) -> None:
        for byte in wire.frame(wire.encode(["replies", 1, [bytes(4000)]])):
            far.sendall(bytes([byte]))
            time.sleep(0.01)

    with pytest.raises(TimedOut):
        talk(script, seconds=0.3)


def test_silence_is_a_time_out(talk: Callable[..., list]) -> None:
    with pytest.raises(TimedOut):
        talk(lambda far, request: None, seconds=0.2)


def test_a_process_that_ends_is_noticed_although_a_grandchild_holds_the_wire() -> None:
    worker = FakeWorker(lambda far, request: worker.end())
    start = time.monotonic()
    with pytest.raises(Died, match="ended"):
        one_reply(Conversation(worker, LIMITS))
    assert time.monotonic() - start < 2
    worker.close()


def test_what_was_sent_before_it_was_asked_for_ends_the_worker() -> None:
    worker = FakeWorker(lambda far, request: None)
    reply(worker.far, 1, ["ok", 7])
    time.sleep(0.05)
    with pytest.raises(Died, match="before"):
        one_reply(Conversation(worker, LIMITS))
    worker.close()


def test_a_second_reply_to_one_request_ends_the_worker() -> None:
    def script(far: socket.socket, message: list) -> None:
        reply(far, 1, ["ok", 7])
        reply(far, 2, ["ok", 8])

    worker = FakeWorker(script)
    conversation = Conversation(worker, LIMITS)
    assert one_reply(conversation) == ["ok", 7]
    time.sleep(0.05)
    with pytest.raises(Died):
        one_reply(conversation)
    worker.close()


def test_a_body_that_is_no_reply_ends_the_worker(talk: Callable[..., list]) -> None:
    with pytest.raises(Died):
        talk(lambda far, message: send(far, ["replies", message[0], [b"\xc1"]]))


def test_questions_are_answered_and_bounded() -> None:
    answered: list = []

    def script(far: socket.socket, message: list) -> None:
        for number in range(3):
            send(far, ["ask", number, b"question", []])
            answered.append(worker.read())
        reply(far, message[0], ["ok", 7])

    def answer(question: bytes) -> bytes:
        if len(answered) == 2:
            raise Refused("ValueError", "no")
        return b"answer to " + question

    worker = FakeWorker(script)
    assert one_reply(Conversation(worker, LIMITS), answer=answer) == ["ok", 7]
    assert answered[0] == ["answer", 0, b"answer to question"]
    assert answered[2] == ["refused", 2, "ValueError", "no"]
    worker.close()


def test_replies_come_along_with_a_question() -> None:
    def script(far: socket.socket, message: list) -> None:
        send(far, ["ask", 1, b"question", [wire.encode(["ok", 1])]])
        assert worker.read() == ["answer", 1, b"question"]
        reply(far, message[0], ["ok", 2])

    worker = FakeWorker(script)
    conversation = Conversation(worker, LIMITS)
    conversation.ask([REQUEST] * 2, seconds=5)
    assert conversation.replies(seconds=5, answer=lambda question: question) == [wire.encode(["ok", 1])]
    assert conversation.replies(seconds=5, answer=lambda question: question) == [wire.encode(["ok", 2])]
    worker.close()


def test_questions_without_end_end_the_worker(talk: Callable[..., list]) -> None:
    def script(far: socket.socket, message: list) -> None:
        while True:
            send(far, ["ask", 1, b"question", []])
            far.recv(1 << 16)

    with pytest.raises(Died, match="questions"):
        talk(script)
