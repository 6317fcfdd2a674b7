"""The codec on a corpus of bodies that are made to break a decoder, and on what a fuzzer makes of them: a WireError or plain data.

Within a bound of memory and time, whatever the bytes say about themselves.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.inside import wire
from tests.wire_corpus.make import FOLDER, PLAIN, REFUSED

BOUNDS = wire.Bounds(size=1 << 16, depth=8, containers=1000)
MEMORY = 40 * BOUNDS.size  # a list gets its whole length when its head is read, though nothing of it is touched
SECONDS = 0.5  # a thousand times what the slowest needs, and a hundredth of what one of them took


def files(kind: str) -> list[Path]:
    return sorted((FOLDER / kind).glob("*.bin"))


def is_plain(value: Any, depth: int = BOUNDS.depth) -> bool:
    """Whether a value is of the types that the format knows, nested no deeper than allowed."""
    if isinstance(value, (list, tuple)):
        return type(value) in (list, tuple) and depth > 0 and all(is_plain(item, depth - 1) for item in value)
    if isinstance(value, dict):
        keys = all(type(key) in (str, int, bool) for key in value)
        return type(value) is dict and keys and depth > 0 and all(is_plain(item, depth - 1) for item in value.values())
    if isinstance(value, np.ndarray):
        return type(value) is np.ndarray and value.dtype.str[1:] in wire.DTYPES and value.nbytes <= BOUNDS.size
    if isinstance(value, np.generic):
        return value.dtype.str[1:] in wire.DTYPES
    return value is None or type(value) in (bool, int, float, str, bytes, wire.Handle, wire.FunctionRef)


def decode(body: bytes) -> Any:
    """Decode within the bounds of memory and time; raises WireError."""
    tracemalloc.start()
    start = time.monotonic()
    try:
        return wire.decode(body, BOUNDS)
    finally:
        seconds, memory = time.monotonic() - start, tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert memory < MEMORY
        assert seconds < SECONDS


@pytest.mark.parametrize("path", files("plain"), ids=lambda path: path.stem)
def test_plain_data_comes_through(path: Path) -> None:
    assert is_plain(decode(path.read_bytes()))


@pytest.mark.parametrize("path", files("refused"), ids=lambda path: path.stem)
def test_what_is_none_is_refused(path: Path) -> None:
    with pytest.raises(wire.WireError):
        decode(path.read_bytes())


def test_the_files_are_those_that_make_writes() -> None:
    for kind, bodies in (("plain", PLAIN), ("refused", REFUSED)):
        assert {path.stem: path.read_bytes() for path in files(kind)} == bodies


@pytest.mark.parametrize("path", files("plain"), ids=lambda path: path.stem)
def test_a_body_that_ends_early_is_refused_wherever_it_ends(path: Path) -> None:
    body = path.read_bytes()
    for end in range(len(body)) if len(body) < 1000 else range(0, len(body), len(body) // 500):
        with pytest.raises(wire.WireError):
            wire.decode(body[:end], BOUNDS)


def test_a_nested_body_costs_memory_for_a_few_copies_only() -> None:
    bounds = wire.Bounds(size=8 << 20, depth=36, containers=1000)
    body = wire.encode(b"x" * (6 << 20))
    for _ in range(30):
        body = wire.msgpack.packb(wire.msgpack.ExtType(wire.TUPLE, b"\x91" + body))
    tracemalloc.start()
    try:
        with pytest.raises(wire.WireError):
            wire.decode(body, bounds)
        assert tracemalloc.get_traced_memory()[1] < 8 * bounds.size
    finally:
        tracemalloc.stop()


# An edit: where it begins as a share of the body, what it does, how long it is, the bytes that it brings.
edits = st.tuples(st.floats(0, 1), st.sampled_from(["replace", "insert", "delete", "repeat"]), st.integers(0, 12), st.binary(max_size=6))
bodies = st.sampled_from([*PLAIN.values(), *(body for body in REFUSED.values() if len(body) < 1000)])


def edited(body: bytes, changes: Sequence[tuple[float, str, int, bytes]]) -> bytes:
    """The body after some edits."""
    for share, how, length, new in changes:
        start = int(share * len(body))
        end = start + length
        middle = {"replace": new, "insert": new + body[start:end], "delete": b"", "repeat": 2 * body[start:end]}[how]
        body = body[:start] + middle + body[end:]
    return body


@settings(max_examples=1000, derandomize=True, deadline=None)
@given(bodies, st.lists(edits, min_size=1, max_size=4))
def test_what_a_fuzzer_makes_of_them_is_a_wire_error_or_plain_data(body: bytes, changes: list[tuple[float, str, int, bytes]]) -> None:
    try:
        value = wire.decode(edited(body, changes), BOUNDS)
    except wire.WireError:
        return
    assert is_plain(value)


@settings(max_examples=300, derandomize=True, deadline=None)
@given(bodies, bodies, st.floats(0, 1), st.floats(0, 1))
def test_halves_of_two_of_them_are_a_wire_error_or_plain_data(one: bytes, other: bytes, first: float, second: float) -> None:
    try:
        value = wire.decode(one[: int(first * len(one))] + other[int(second * len(other)) :], BOUNDS)
    except wire.WireError:
        return
    assert is_plain(value)
