"""Answers that are sent into the jail before they are asked for, each locked with its question.

A question is the only key to its answer: who can put the question, from the inputs and by the computation that it takes, can open
the answer, and would have been given it by the grader; to everybody else it is noise. So nothing is in the jail that was not
there before, and the way out and back, which costs more than most calls, is saved. Both ends use this file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

NAME = 16  # bytes by which the lock to a question is found


def seal(answers: Mapping[bytes, bytes]) -> list[bytes]:
    """Lock answers, question -> answer: name and locked answer by turns."""
    return [part for question, answer in answers.items() for part in (_name(question), _crossed(question, answer))]


def unpacked(sealed: Iterable[bytes]) -> dict[bytes, bytes]:
    """The locked answers by their names."""
    parts = iter(sealed)
    return dict(zip(parts, parts, strict=True))


def opened(sealed: Mapping[bytes, bytes], question: bytes) -> bytes | None:
    """The answer to a question, None where it is not among them."""
    locked = sealed.get(_name(question))
    return None if locked is None else _crossed(question, locked)


def _name(question: bytes) -> bytes:
    return hashlib.blake2b(question, digest_size=NAME, person=b"name").digest()


def _crossed(question: bytes, text: bytes) -> bytes:
    """The text and a stream of bytes that the question makes, bit by bit: once it locks, twice it opens."""
    stream = hashlib.shake_256(b"lock" + question).digest(len(text))
    return (int.from_bytes(text, "little") ^ int.from_bytes(stream, "little")).to_bytes(len(text), "little")
