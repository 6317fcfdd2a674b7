"""The wire between the grader and the jail: plain data in a bounded binary format that cannot execute anything.

A frame is a length (4 bytes, big-endian) and a msgpack body. Both ends use this file; the grader decodes with
limits, and whatever does not fit them is a `WireError`, never another exception.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgpack
import numpy as np

ARRAY, SCALAR, TUPLE, HANDLE, FUNCTION, BIG_INT = 1, 2, 3, 4, 5, 6
DTYPES = frozenset(("b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"))
HEADER = struct.Struct(">I")
ARRAY_HEAD = struct.Struct(">H")
MOST_AXES = 32
LONGEST_AXIS = 2**40
LONGEST_HEAD = 400  # bytes of an array's head, which has an integer for each axis
AS_IT_IS = frozenset((type(None), bool, float, str, bytes))
SHORT = 2**63
MOST_COPIES = 4  # a tuple's items are copied out of the bytes around it; all copies together, in sizes of a frame
SMALL_BODY = 1 << 16  # bytes; whatever is in it, it cannot become much memory, so that its items are counted when it is decoded
SMALL_BUFFER = 1 << 20
FORGET = b""  # among the requests of a message: let go of all objects, another test begins


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
    return _pack(_plain(value, depth))


def encode_simple(*parts: str | int | bytes | Sequence[bytes]) -> bytes:
    """A message of nothing but text, integers of 64 bits, bodies and lists of bodies."""
    return _pack(parts)


_packers: list[msgpack.Packer] = []  # a new one takes a megabyte from the system, which costs more than a message


def _pack(value: Any) -> bytes:
    packer = _packers.pop() if _packers else msgpack.Packer(use_bin_type=True)
    body = packer.pack(value)
    if len(body) <= SMALL_BUFFER:
        _packers.append(packer)
    return body


def frame(body: bytes) -> bytes:
    """A body with its length before it."""
    return HEADER.pack(len(body)) + body


def _plain(value: Any, depth: int) -> Any:
    """The value as msgpack takes it. The kinds that nearly all values are of come first."""
    if depth < 0:
        raise NotPlain("a value nested too deep")
    kind = type(value)
    if kind in AS_IT_IS or (kind is int and -SHORT <= value < SHORT):
        return value
    if isinstance(value, np.ndarray):
        return _array(value, ARRAY)
    if kind is tuple:
        return _extension(TUPLE, _pack([_plain(item, depth - 1) for item in value]))
    if kind is list:
        return [_plain(item, depth - 1) for item in value]
    if isinstance(value, np.generic):
        return _array(np.asarray(value), SCALAR)
    if isinstance(value, int):
        number = int.__index__(value)
        if is_short(number):
            return number
        if number.bit_length() > 4096:
            raise NotPlain("an integer of more than 4096 bits")
        return _extension(BIG_INT, number.to_bytes(number.bit_length() // 8 + 1, "big", signed=True))
    if isinstance(value, tuple):
        return _extension(TUPLE, _pack([_plain(item, depth - 1) for item in tuple.__iter__(value)]))
    if isinstance(value, list):
        return [_plain(item, depth - 1) for item in list.__iter__(value)]
    if isinstance(value, dict):
        return {_key(key): _plain(item, depth - 1) for key, item in dict.items(value)}
    if isinstance(value, float):
        return float.__float__(value)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    if isinstance(value, Handle):
        return _extension(HANDLE, HEADER.pack(value.number))
    if isinstance(value, FunctionRef):
        return _extension(FUNCTION, HEADER.pack(value.number))
    raise NotPlain(f"an object of type {kind.__name__}")


def _extension(code: int, data: bytes) -> msgpack.ExtType:
    """As ExtType(code, data), without its checks of what is right here."""
    return tuple.__new__(msgpack.ExtType, (code, data))


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
    head, dtype = _array_head(value.dtype, value.shape)
    return _extension(kind, head + (value if dtype is None else value.astype(dtype)).tobytes())


@lru_cache(1024)
def _array_head(dtype: np.dtype, shape: tuple[int, ...]) -> tuple[bytes, np.dtype | None]:
    """What comes before the numbers of an array, and the dtype that they must be given first. The same few come again and again."""
    if len(shape) > MOST_AXES:
        raise NotPlain(f"an array of {len(shape)} axes")
    if 0 in shape and max(shape) >= LONGEST_AXIS:
        raise NotPlain(f"an array with an axis of {max(shape)}")
    if dtype.kind not in "biuf":
        raise NotPlain(f"an array of dtype {dtype}")
    sent = np.dtype(np.float64) if dtype.kind == "f" and dtype.itemsize > 8 else dtype.newbyteorder("<")
    head: bytes = msgpack.packb([sent.str[1:], list(shape)])
    return ARRAY_HEAD.pack(len(head)) + head, None if sent == dtype else sent


@lru_cache(1024)
def _read_array_head(head: bytes) -> tuple[np.dtype, tuple[int, ...], int]:
    """Dtype, shape and bytes of an array. Raises WireError, and what msgpack raises."""
    kind, shape = msgpack.unpackb(head, max_array_len=MOST_AXES, max_str_len=8)
    if not isinstance(kind, str) or kind not in DTYPES or not isinstance(shape, list):
        raise WireError("an array of unknown kind")
    if not all(type(n) is int and 0 <= n < LONGEST_AXIS for n in shape):
        raise WireError("an array of impossible shape")
    dtype = np.dtype(f"<{kind}")
    return dtype, tuple(shape), math.prod(shape) * dtype.itemsize


def decode(body: bytes, bounds: Bounds, *, writable: bool = False) -> Any:
    """The plain data of a body; without `writable` its arrays are views of it. Raises WireError for whatever is not of this format,
    or over the bounds."""
    if len(body) > bounds.size:
        raise WireError(f"a frame of more than {bounds.size} bytes")
    decoder = _Decoder(bounds, writable)
    value = decoder.decode(body)
    decoder.check(value, bounds.depth)
    return value


class _Decoder:
    """Decodes one body; counts its container items, and the bytes that it copies, over all nested parts."""

    def __init__(self, bounds: Bounds, writable: bool):
        self.bounds, self.writable, self.items, self.copied = bounds, writable, 0, 0
        self.depth = bounds.depth

    def decode(self, body: bytes) -> Any:
        try:
            return msgpack.unpackb(
                body,
                raw=False,
                strict_map_key=False,
                ext_hook=self._extension,
                list_hook=None if len(body) <= SMALL_BODY else self._list,
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
        """Counts while it is decoded; `check` counts once more, from the start."""
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
        """Nesting, over tuples too, whose items come in bodies of their own; how many items; and msgpack's own extension, which is
        decoded without asking."""
        self.items = 0
        self._check((value,), depth + 1)

    def _check(self, items: Any, depth: int) -> None:
        if depth <= 0:
            raise WireError("a value nested too deep")
        self._count(len(items) + 1)
        for item in items:
            kind = type(item)
            if kind is list or kind is tuple:
                self._check(item, depth - 1)
            elif kind is dict:
                self._check(item.values(), depth - 1)
            elif kind is msgpack.Timestamp:
                raise WireError("a time stamp")

    def _extension(self, code: int, data: bytes) -> Any:
        if code in (ARRAY, SCALAR):
            return self._array(data, scalar=code == SCALAR)
        if code == TUPLE:
            self.copied += len(data)
            if self.copied > MOST_COPIES * self.bounds.size:
                raise WireError("too many tuples in tuples")
            if self.depth < 0:
                raise WireError("a value nested too deep")
            self.depth -= 1
            items = self.decode(data)
            self.depth += 1
            if type(items) is not list:
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
            if start > LONGEST_HEAD:
                raise WireError("an array of impossible shape")
            dtype, shape, size = _read_array_head(data[ARRAY_HEAD.size : start])
            if size != len(data) - start:
                raise WireError("an array whose bytes do not fit its shape")
            array: np.ndarray = np.ndarray(shape, dtype, data, start)
            if dtype.kind == "b" and array.size and array.view(np.uint8).max() > 1:
                raise WireError("a boolean that is neither 0 nor 1")
        except WireError:
            raise
        except Exception as error:
            raise WireError(f"not an array ({type(error).__name__})") from None
        if scalar:
            if array.ndim:
                raise WireError("a scalar with axes")
            return array[()]
        return array.copy() if self.writable or not array.flags.aligned else array
