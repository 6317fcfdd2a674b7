"""The wire between the grader and the jail: plain data in a bounded binary format that cannot execute anything.

A frame is a length (4 bytes, big-endian) and a msgpack body. Both ends use this file; the grader decodes with
limits, and whatever does not fit them is a `WireError`, never another exception.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from typing import Any

import msgpack
import numpy as np

ARRAY, SCALAR, TUPLE, HANDLE, FUNCTION, BIG_INT = 1, 2, 3, 4, 5, 6
DTYPES = frozenset(("b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"))
HEADER = struct.Struct(">I")
ARRAY_HEAD = struct.Struct(">H")
MOST_AXES = 32
LONGEST_AXIS = 2**40
MOST_COPIES = 4  # a tuple's items are copied out of the bytes around it; all copies together, in sizes of a frame


class WireError(Exception):
    """Something that is not a frame of this format, or over its limits."""


class NotPlain(TypeError):
    """A value that is no plain data; the text says what it is."""


@dataclass(frozen=True)
class Handle:
    """An object that stays on the student's side of the wire."""

    number: int


@dataclass(frozen=True)
class FunctionRef:
    """A function that stays on the grader's side, and that the student's code may call for the length of one call."""

    number: int


@dataclass(frozen=True)
class Bounds:
    """What one decoded frame may hold: bytes, nesting, and items of containers all together."""

    size: int
    depth: int
    containers: int


def encode(value: Any, depth: int = 32) -> bytes:
    """Plain data as a msgpack body. Raises NotPlain for anything else, and for nesting deeper than `depth`."""
    return msgpack.packb(_plain(value, depth), use_bin_type=True)


def frame(body: bytes) -> bytes:
    """A body with its length before it."""
    return HEADER.pack(len(body)) + body


def _plain(value: Any, depth: int) -> Any:
    if depth < 0:
        raise NotPlain("a value nested too deep")
    if value is None or value is True or value is False:
        return value
    if isinstance(value, np.ndarray):
        return _array(value, ARRAY)
    if isinstance(value, np.generic):
        return _array(np.asarray(value), SCALAR)
    if isinstance(value, int):
        number = int.__index__(value)
        if is_short(number):
            return number
        if number.bit_length() > 4096:
            raise NotPlain("an integer of more than 4096 bits")
        return msgpack.ExtType(BIG_INT, number.to_bytes(number.bit_length() // 8 + 1, "big", signed=True))
    if isinstance(value, float):
        return float.__float__(value)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    if isinstance(value, tuple):
        return msgpack.ExtType(TUPLE, msgpack.packb([_plain(item, depth - 1) for item in tuple.__iter__(value)]))
    if isinstance(value, list):
        return [_plain(item, depth - 1) for item in list.__iter__(value)]
    if isinstance(value, dict):
        return {_key(key): _plain(item, depth - 1) for key, item in dict.items(value)}
    if isinstance(value, Handle):
        return msgpack.ExtType(HANDLE, HEADER.pack(value.number))
    if isinstance(value, FunctionRef):
        return msgpack.ExtType(FUNCTION, HEADER.pack(value.number))
    raise NotPlain(f"an object of type {type(value).__name__}")


def _key(key: Any) -> Any:
    if isinstance(key, np.integer):
        return int(key)
    if isinstance(key, str):
        return str.__str__(key)
    if isinstance(key, int):
        if not is_short(int.__index__(key)):
            raise NotPlain("a dictionary with a key of more than 64 bits")
        return int.__index__(key)
    raise NotPlain(f"a dictionary with a key of type {type(key).__name__}")


def is_short(number: int) -> bool:
    """Whether an integer fits into 64 bits. Longer ones may be keys of nothing: any number of them can have one hash."""
    return -(2**63) <= number < 2**64


def _array(value: np.ndarray, kind: int) -> msgpack.ExtType:
    if type(value) is not np.ndarray and not isinstance(value, np.memmap):
        raise NotPlain(f"an array of the subclass {type(value).__name__}")
    if value.dtype.kind == "f" and value.dtype.itemsize > 8:
        value = value.astype(np.float64)
    if value.ndim > MOST_AXES:
        raise NotPlain(f"an array of {value.ndim} axes")
    if max(value.shape, default=0) >= LONGEST_AXIS:
        raise NotPlain(f"an array with an axis of {max(value.shape)}")
    if value.dtype.kind not in "biuf":
        raise NotPlain(f"an array of dtype {value.dtype}")
    value = np.ascontiguousarray(value, dtype=value.dtype.newbyteorder("<")).reshape(value.shape)
    head = msgpack.packb([value.dtype.str[1:], list(value.shape)])
    return msgpack.ExtType(kind, ARRAY_HEAD.pack(len(head)) + head + value.tobytes())


def decode(body: bytes, bounds: Bounds, *, writable: bool = False) -> Any:
    """The plain data of a body. Raises WireError for whatever is not of this format, or over the bounds."""
    if len(body) > bounds.size:
        raise WireError(f"a frame of more than {bounds.size} bytes")
    decoder = _Decoder(bounds, writable)
    value = decoder.decode(body, bounds.depth)
    decoder.check(value, bounds.depth)
    return value


class _Decoder:
    """Decodes one body; counts its container items, and the bytes that it copies, over all nested parts."""

    def __init__(self, bounds: Bounds, writable: bool):
        self.bounds, self.writable, self.items, self.copied = bounds, writable, 0, 0

    def decode(self, body: bytes, depth: int) -> Any:
        if depth < 0:
            raise WireError("a value nested too deep")
        try:
            return msgpack.unpackb(
                body,
                raw=False,
                strict_map_key=False,
                ext_hook=lambda code, data: self._extension(code, data, depth),
                list_hook=self._list,
                object_pairs_hook=self._dict,
                max_array_len=self.bounds.containers,
                max_map_len=self.bounds.containers,
                max_str_len=self.bounds.size,
                max_bin_len=self.bounds.size,
                max_ext_len=self.bounds.size,
            )
        except WireError:
            raise
        except Exception as error:  # msgpack raises several kinds, ValueError and RecursionError among them
            raise WireError(f"not a frame of this format ({type(error).__name__})") from None

    def _count(self, items: int) -> None:
        self.items += items
        if self.items > self.bounds.containers:
            raise WireError(f"more than {self.bounds.containers} items")

    def _list(self, items: list[Any]) -> list[Any]:
        self._count(len(items) + 1)
        return items

    def _dict(self, pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
        self._count(len(pairs) + 1)
        if not all(isinstance(key, str) or (isinstance(key, int) and is_short(key)) for key, _ in pairs):
            raise WireError("a dictionary with a key that is neither text nor an integer of 64 bits")
        result = dict(pairs)
        if len(result) != len(pairs):
            raise WireError("a dictionary with a key that stands twice")
        return result

    def check(self, value: Any, depth: int) -> None:
        """Nesting, over tuples too, whose items come in bodies of their own; and msgpack's own extension, decoded without asking."""
        if isinstance(value, msgpack.Timestamp):
            raise WireError("a time stamp")
        if isinstance(value, (list, tuple, dict)):
            if depth <= 0:
                raise WireError("a value nested too deep")
            for item in value.values() if isinstance(value, dict) else value:
                self.check(item, depth - 1)

    def _extension(self, code: int, data: bytes, depth: int) -> Any:
        if code in (ARRAY, SCALAR):
            return self._array(data, scalar=code == SCALAR)
        if code == TUPLE:
            self.copied += len(data)
            if self.copied > MOST_COPIES * self.bounds.size:
                raise WireError("too many tuples in tuples")
            items = self.decode(data, depth - 1)
            if not isinstance(items, list):
                raise WireError("a tuple that is none")
            return tuple(items)
        if code == BIG_INT and len(data) <= 520:
            return int.from_bytes(data, "big", signed=True)
        if code in (HANDLE, FUNCTION) and len(data) == HEADER.size:
            (number,) = HEADER.unpack(data)
            return Handle(number) if code == HANDLE else FunctionRef(number)
        raise WireError(f"an extension of unknown kind {code}")

    def _array(self, data: bytes, *, scalar: bool) -> Any:
        try:
            start = ARRAY_HEAD.size + ARRAY_HEAD.unpack_from(data)[0]
            kind, shape = msgpack.unpackb(data[ARRAY_HEAD.size : start], max_array_len=MOST_AXES, max_str_len=8)
            if not isinstance(kind, str) or kind not in DTYPES or not isinstance(shape, list):
                raise WireError("an array of unknown kind")
            if not all(type(n) is int and 0 <= n < LONGEST_AXIS for n in shape):
                raise WireError("an array of impossible shape")
            dtype = np.dtype(kind).newbyteorder("<")
            payload = memoryview(data)[start:]
            if math.prod(shape) * dtype.itemsize != len(payload):
                raise WireError("an array whose bytes do not fit its shape")
            if dtype.kind == "b" and len(payload) and max(payload) > 1:
                raise WireError("a boolean that is neither 0 nor 1")
            array = np.frombuffer(payload, dtype=dtype).reshape(shape)
        except WireError:
            raise
        except Exception as error:
            raise WireError(f"not an array ({type(error).__name__})") from None
        if scalar:
            if array.ndim:
                raise WireError("a scalar with axes")
            return array[()]
        return array.copy() if self.writable else array
