"""What a hidden test is going to ask, known from an earlier submission, so that all of it can be asked at once.

With one seed a test asks the same of every submission, as long as it is content: what it asks was kept when a submission passed it.
Each message costs more than most calls, for both sides. The worker answers ahead; the test takes the answers one by one, and only
where what it asks is, byte for byte, what was foreseen. Where it is not, where a worker ends or takes long, the test runs again
from its start, with a fresh worker and nothing asked ahead: no verdict rests on a call that the test did not make.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from autograder.inside.sealed import seal

LARGEST = 1 << 20  # bytes of what one test asks and is answered
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
    """The requests that were sent ahead of time, how many of them the test has made, and the replies that it has not taken."""

    requests: list[bytes]
    made: int = 0
    replies: deque[bytes] = field(default_factory=deque)

    def foresaw(self, request: bytes) -> bool:
        """Whether this is what was to come next; it is counted as made then."""
        if self.made == len(self.requests) or self.requests[self.made] != request:
            return False
        self.made += 1
        return True


class Foresight:
    """What the tests asked of submissions that passed them, by test. Of no use, and not asked again, where it once was wrong."""

    def __init__(self, most: int):
        self.most, self.used = most, 0
        self.known: dict[Key, Foreseen | None] = {}

    def of(self, key: Key) -> Foreseen | None:
        """What this test is going to ask; None where that is not known."""
        return self.known.get(key)

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
