"""The codec: plain data comes through unchanged, and no bytes whatever make it raise anything but WireError."""

from __future__ import annotations

import enum
from collections import OrderedDict, namedtuple

import msgpack
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from autograder.inside import wire

BOUNDS = wire.Bounds(size=1 << 20, depth=32, containers=10_000)

numbers = st.one_of(st.none(), st.booleans(), st.integers(-(2**200), 2**200), st.floats(), st.text(max_size=20), st.binary(max_size=20))
arrays = hnp.arrays(
    dtype=st.sampled_from(["?", "i1", "u2", "i4", "i8", "u8", "f2", "f4", "f8", ">f8", ">i4"]),
    shape=hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4),
)
plain = st.recursive(
    st.one_of(numbers, arrays),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(st.one_of(st.text(max_size=5), st.integers(-9, 9)), inner, max_size=4),
    ),
    max_leaves=12,
)


def same(a: object, b: object) -> bool:
    if isinstance(a, np.ndarray):
        return (
            isinstance(b, np.ndarray)
            and a.shape == b.shape
            and a.dtype.newbyteorder("<") == b.dtype
            and a.astype(b.dtype).tobytes() == b.tobytes()
        )
    if type(a) is not type(b):
        return False
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    return a == b or (a != a and b != b)


@given(plain)
def test_plain_data_comes_through_unchanged(value: object) -> None:
    assert same(value, wire.decode(wire.encode(value), BOUNDS))


@settings(max_examples=500)
@given(st.binary(max_size=200))
def test_garbage_is_a_wire_error_or_plain_data(body: bytes) -> None:
    try:
        wire.decode(body, BOUNDS)
    except wire.WireError:
        pass


@settings(max_examples=500)
@given(plain, st.integers(0, 10_000), st.integers(0, 255))
def test_a_flipped_byte_is_a_wire_error_or_plain_data(value: object, where: int, byte: int) -> None:
    body = bytearray(wire.encode(value))
    body[where % len(body)] = byte
    try:
        wire.decode(bytes(body), BOUNDS)
    except wire.WireError:
        pass


def extension(kind: int, *parts: object) -> bytes:
    head = msgpack.packb(list(parts[:2]))
    return msgpack.packb(msgpack.ExtType(kind, wire.ARRAY_HEAD.pack(len(head)) + head + (parts[2] if len(parts) > 2 else b"")))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xc1",
        b"\x91" * 3000 + b"\x00",
        msgpack.packb([[[[[[[[[1]]]]]]]]]) * 2,
        msgpack.packb({1.5: 2}),
        msgpack.packb({b"key": 2}),
        b"\x82\xa1a\x01\xa1a\x02",
        b"\xdd\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xff",
        b"\xa4\xff\xff\xff\xff",
        msgpack.packb(msgpack.Timestamp(1, 2)),
        msgpack.packb(msgpack.ExtType(99, b"x")),
        msgpack.packb(msgpack.ExtType(wire.TUPLE, b"\x01")),
        msgpack.packb(msgpack.ExtType(wire.HANDLE, b"")),
        msgpack.packb(msgpack.ExtType(wire.BIG_INT, b"\x7f" * 600)),
        msgpack.packb(msgpack.ExtType(wire.ARRAY, b"")),
        extension(wire.ARRAY, "O", [1], b"\0" * 8),
        extension(wire.ARRAY, "M8[s]", [1], b"\0" * 8),
        extension(wire.ARRAY, "U4", [1], b"\0" * 16),
        extension(wire.ARRAY, "f8", [2], b"\0" * 8),
        extension(wire.ARRAY, "f8", [-1], b""),
        extension(wire.ARRAY, "f8", [2**62, 2**62], b""),
        extension(wire.ARRAY, "f8", [0, 2**62], b""),
        extension(wire.ARRAY, "f8", [True], b"\0" * 8),
        extension(wire.ARRAY, "f8", [1] * 60, b"\0" * 8),
        extension(wire.ARRAY, "b1", [1], b"\2"),
        extension(wire.SCALAR, "f8", [1], b"\0" * 8),
    ],
)
def test_what_is_not_of_the_format_is_refused(body: bytes) -> None:
    with pytest.raises(wire.WireError):
        wire.decode(body, BOUNDS)


def nested(depth: int) -> list:
    value: list = []
    for _ in range(depth):
        value = [value]
    return value


def test_nesting_is_bounded_on_both_sides() -> None:
    with pytest.raises(wire.NotPlain):
        wire.encode(nested(40))
    with pytest.raises(wire.WireError):
        wire.decode(msgpack.packb(nested(40)), BOUNDS)
    value: object = 0
    for _ in range(40):
        value = msgpack.ExtType(wire.TUPLE, msgpack.packb([value]))
    with pytest.raises(wire.WireError):
        wire.decode(msgpack.packb(value), BOUNDS)


def test_the_items_of_all_containers_are_counted_together() -> None:
    with pytest.raises(wire.WireError, match="10000 items"):
        wire.decode(msgpack.packb([[0] * 4_000, [0] * 4_000, [0] * 4_000]), BOUNDS)


def test_a_frame_over_the_limit_is_refused() -> None:
    with pytest.raises(wire.WireError, match="bytes"):
        wire.decode(wire.encode(np.zeros(1 << 18)), BOUNDS)


class Shade(enum.IntEnum):
    DARK = 3


class Name(str):
    __slots__ = ()


Pair = namedtuple("Pair", "output weights")


def test_subclasses_of_plain_types_cross_as_the_plain_type() -> None:
    for value, want in [
        (Shade.DARK, 3),
        (Name("x"), "x"),
        (Pair(1, 2), (1, 2)),
        (OrderedDict(a=1), {"a": 1}),
        (np.float64(2.5), np.float64(2.5)),
    ]:
        got = wire.decode(wire.encode(value), BOUNDS)
        assert got == want
        assert type(got) is type(want)


@pytest.mark.parametrize(
    "value",
    [
        np.ma.masked_array([1.0, 2.0], [True, False]),
        np.matrix([[1.0]]),
        np.array([1 + 2j]),
        np.array([object()]),
        np.array(["a"]),
        {1, 2},
        object(),
        1j,
        {(1, 2): 3},
    ],
)
def test_what_is_not_plain_is_named(value: object) -> None:
    with pytest.raises(wire.NotPlain):
        wire.encode(value)


def test_views_and_odd_layouts_cross_as_their_values() -> None:
    x = np.arange(24.0).reshape(2, 3, 4)
    readonly = x.copy()
    readonly.flags.writeable = False
    for view in (x[:, ::2], x.T, x[::-1], np.broadcast_to(x[0], (5, 3, 4)), np.asfortranarray(x), readonly):
        np.testing.assert_array_equal(wire.decode(wire.encode(view), BOUNDS), view)


def test_answers_into_the_jail_are_writable() -> None:
    got = wire.decode(wire.encode(np.zeros(3)), BOUNDS, writable=True)
    got += 1
    assert got.tolist() == [1, 1, 1]
