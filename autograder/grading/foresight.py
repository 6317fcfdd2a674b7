"""What hidden tests are going to ask, known from an earlier submission, so that all of it can be asked at once.

With one seed a test asks the same of every submission, as long as it is content: what it asks was kept when a submission passed it.
Each message costs more than most calls, for both sides, so that one message asks for all that the tests of an exercise are known to
ask. The worker answers ahead; a test takes its answers one by one, and only where what it asks is, byte for byte, what was foreseen.
Where it is not, where a worker ends or takes long, the test runs again from its start, with a fresh worker and nothing asked ahead:
no verdict rests on a call that the test did not make. What a test asks with a part of an answer is not kept: in the next submission's
process it would be an answer that is still to be given.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.inside.sealed import seal

LARGEST = 1 << 20  # bytes of what one test asks and is answered, and of what is asked in one message
Key = tuple[str, str, int]  # exercise, test, seed


class Diverged(BaseException):
    """A test asked for something that was not foreseen, or there was no answer ahead of time. No test may catch it."""


@dataclass
class Foreseen:
    """What a test is going to ask, and the answers that earlier exercises gave meanwhile, locked; see autograder/inside/sealed.py."""

    requests: list[bytes]
    answers: dict[bytes, bytes]
    sealed: list[bytes] = field(default_factory=list)

    def size(self) -> int:
        """Its bytes."""
        return sum(map(len, self.requests)) + 2 * sum(len(question) + len(answer) for question, answer in self.answers.items())


@dataclass
class Ahead:
    """What was asked ahead of time of the test that runs and of those after it, how many of its requests the test has made, and the
    replies that are there and not taken."""

    tests: deque[list[bytes]]
    made: int = 0
    replies: deque[bytes] = field(default_factory=deque)

    def foresaw(self, request: bytes) -> bool:
        """Whether this is what was to come next; it is counted as made then."""
        if self.made == len(self.tests[0]) or self.tests[0][self.made] != request:
            return False
        self.made += 1
        return True

    def left(self) -> int:
        """How many replies the test that runs has not taken."""
        return len(self.tests[0]) - self.made

    def next_test(self) -> None:
        """The test is over, and the replies that it did not take are thrown away; they must be there."""
        for _ in range(self.left()):
            self.replies.popleft()
        self.tests.popleft()
        self.made = 0


class Echo:
    """Notices a test that asks with a number that came back to it before, and that it had not asked with itself."""

    def __init__(self) -> None:
        self.asked: set[float] = set()
        self.heard: set[float] = set()

    def asks(self, request: Any) -> bool:
        """Take note of a request. Whether there is such a number in it."""
        new = set(fractions_in(request)) - self.asked
        self.asked |= new
        return not self.heard.isdisjoint(new)

    def hears(self, reply: Any) -> None:
        """Take note of a reply."""
        self.heard.update(fractions_in(reply))


def fractions_in(value: Any) -> Iterator[float]:
    """The numbers in a value that are not whole: those that hardly come twice by chance."""
    if isinstance(value, (np.ndarray, np.generic)):
        if value.dtype.kind == "f":
            yield from (number for number in value.ravel().tolist() if not number.is_integer())
    elif isinstance(value, float):
        if not value.is_integer():
            yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from fractions_in(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from fractions_in(item)


class Foresight:
    """What the tests asked of submissions that passed them, by test. Of no use, and not asked again, where it once was wrong."""

    def __init__(self, most: int):
        self.most, self.used = most, 0
        self.known: dict[Key, Foreseen | None] = {}

    def of(self, key: Key) -> Foreseen | None:
        """What this test is going to ask; None where that is not known."""
        return self.known.get(key)

    def in_a_row(self, keys: Iterable[Key]) -> list[Foreseen]:
        """What the first ones of these tests are going to ask, as long as it is known and fits into one message."""
        found: list[Foreseen] = []
        for foreseen in map(self.of, keys):
            if foreseen is None or sum(test.size() for test in (*found, foreseen)) > LARGEST:
                break
            found.append(foreseen)
        return found

    def learn(self, key: Key, requests: list[bytes], answers: dict[bytes, bytes]) -> None:
        """The test passed after these requests, with these answers of earlier exercises to questions in between."""
        before = self.known.get(key)
        if key in self.known and (before is None or before.answers.keys() >= answers.keys()):
            return
        learnt = Foreseen(requests, answers if before is None else {**before.answers, **answers})
        grown = learnt.size() - (0 if before is None else before.size())
        if learnt.size() <= LARGEST and self.used + grown <= self.most:
            learnt.sealed = seal(learnt.answers)
            self.known[key] = learnt
            self.used += grown

    def give_up(self, key: Key) -> None:
        """What the test asks depends on more than the seed."""
        before = self.known.get(key)
        self.used -= 0 if before is None else before.size()
        self.known[key] = None
