"""Answers in the jail before they are asked for: only their question opens them, and all of it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from autograder.inside import wire
from autograder.inside.sealed import opened, seal, unpacked


@given(st.dictionaries(st.binary(min_size=1, max_size=300), st.binary(max_size=3000), max_size=6))
def test_a_question_opens_its_answer(answers: dict[bytes, bytes]) -> None:
    sealed = unpacked(seal(answers))
    assert {question: opened(sealed, question) for question in answers} == answers


@given(st.binary(min_size=1, max_size=300), st.integers(0), st.integers(1, 255))
def test_a_question_with_one_other_byte_opens_nothing(question: bytes, where: int, other: int) -> None:
    sealed = unpacked(seal({question: b"answer"}))
    nearly = bytearray(question)
    nearly[where % len(question)] ^= other
    assert opened(sealed, bytes(nearly)) is None


def test_nothing_of_an_answer_can_be_read_without_its_question() -> None:
    weights = np.full((3, 4), 0.25)
    answer = wire.encode((weights, weights))
    question = wire.encode(["softmax.softmax", (np.linspace(0, 1, 12).reshape(3, 4),), {}])
    name, locked = seal({question: answer})
    assert len(locked) == len(answer)
    for part in (weights.tobytes()[:8], b"softmax", answer[:8]):
        assert part not in locked
        assert part not in name
    assert sum(bin(a ^ b).count("1") for a, b in zip(locked, answer, strict=True)) > 2 * len(answer)  # half of 8 bits each
