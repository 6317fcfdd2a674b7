"""Writes the corpus of the codec's tests: bodies of frames, each of a kind that once broke a decoder or might break one.

    python -m tests.wire_corpus.make

`refused/` holds what must end in a WireError under the bounds of tests/test_wire_corpus.py, `plain/` what must come through. What a
fuzzer finds goes beside them as a file, and as a line here.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import msgpack
import numpy as np

from autograder.inside import wire

FOLDER = Path(__file__).resolve().parent
PRIME = 2**61 - 1  # Python hashes integers modulo this number


def extension(code: int, data: bytes) -> bytes:
    return msgpack.packb(msgpack.ExtType(code, data))


def array(dtype: Any, shape: Any, data: bytes = b"", code: int = wire.ARRAY) -> bytes:
    head = msgpack.packb([dtype, shape])
    return extension(code, wire.ARRAY_HEAD.pack(len(head)) + head + data)


def nested(inner: bytes, times: int, around: Any) -> bytes:
    for _ in range(times):
        inner = around(inner)
    return inner


def tuple_of(item: bytes) -> bytes:
    return extension(wire.TUPLE, b"\x91" + item)


def entries(keys: list[bytes]) -> bytes:
    return b"\xdf" + struct.pack(">I", len(keys)) + b"".join(key + b"\xc0" for key in keys)


PLAIN = {
    "nothing": b"\xc0",
    "an_answer": wire.encode(["ok", 1, (np.linspace(0, 1, 6).reshape(2, 3), np.eye(3)), False]),
    "a_question": wire.encode(["ask", 7, "softmax.softmax", (np.ones((2, 3)),), {"axis": -1}]),
    "an_exception": wire.encode(["raised", 3, ["ValueError", "Exception"], "text", "exercises/softmax.py", 12]),
    "an_object": wire.encode(["ok", 2, wire.Handle(5), False]),
    "a_function": wire.encode(["call", 3, "compare_sentences", (wire.FunctionRef(0), np.ones(2)), {}]),
    "every_dtype": wire.encode([np.zeros(2, dtype=dtype) for dtype in sorted(wire.DTYPES)]),
    "scalars": wire.encode([np.float32(1.5), np.int8(-3), np.bool_(True), True, 1, 1.5]),
    "no_numbers": wire.encode(np.zeros((0, 3))),
    "no_axes": wire.encode(np.array(2.5)),
    "nan_with_a_payload": array("f8", [2], struct.pack("<QQ", 0x7FF8DEADBEEF0001, 0xFFF0000000000001)),
    "infinities": wire.encode(np.array([np.inf, -np.inf, -0.0])),
    "long_integer": wire.encode(2**4000),
    "negative_long_integer": wire.encode(-(2**200)),
    "empty_long_integer": extension(wire.BIG_INT, b""),
    "keys": wire.encode({"a": 1, 2: "b", -(2**63): None, 2**64 - 1: None, "": 0}),
    "as_deep_as_allowed": nested(b"\xc0", 7, lambda inner: b"\x91" + inner),
    "tuples_as_deep_as_allowed": nested(b"\xc0", 7, tuple_of),
    "as_many_as_allowed": wire.encode([0] * 900),
    "text_of_all_planes": wire.encode("a\u0301\u6ce8\U0001f600\x00"),
    "most_axes": wire.encode(np.zeros((1,) * 32)),
    "big_endian_at_the_source": wire.encode(np.array([1.0, 2.0], dtype=">f8")),
}

REFUSED = {
    "empty": b"",
    "never_used_byte": b"\xc1",
    "two_values": b"\x01\x02",
    "list_head_only": b"\xdd\xff\xff\xff\xff",
    "map_head_only": b"\xdf\x7f\xff\xff\xff",
    "text_head_only": b"\xdb\xff\xff\xff\xff",
    "bytes_head_only": b"\xc6\xff\xff\xff\xff",
    "extension_head_only": b"\xc9\xff\xff\xff\xff\x01",
    "list_longer_than_its_items": b"\xdc\x00\x09" + b"\xc0" * 8,
    "list_heads_in_list_heads": b"\xdd\x00\x00\x03\xe0" * 200,
    "lists_a_hundred_deep": nested(b"\xc0", 100, lambda inner: b"\x91" + inner),
    "lists_ten_thousand_deep": b"\x91" * 10_000 + b"\xc0",
    "maps_ten_thousand_deep": b"\x81\xa1a" * 10_000 + b"\xc0",
    "one_deeper_than_allowed": nested(b"\xc0", 9, lambda inner: b"\x91" + inner),
    "tuples_one_deeper_than_allowed": nested(b"\xc0", 9, tuple_of),
    "lists_and_tuples_by_turns": nested(b"\xc0", 5, lambda inner: tuple_of(b"\x91" + inner)),
    "tuples_that_copy": nested(msgpack.packb(bytes(40_000)), 8, tuple_of),
    "tuple_of_no_list": extension(wire.TUPLE, b"\x01"),
    "tuple_of_nothing": extension(wire.TUPLE, b""),
    "tuple_of_two_lists": extension(wire.TUPLE, b"\x90\x90"),
    "too_many_items": msgpack.packb([0] * 1001),
    "too_many_items_together": msgpack.packb([[0] * 400, [0] * 400, [0] * 400]),
    "too_many_items_in_tuples": b"\x93" + extension(wire.TUPLE, msgpack.packb([0] * 400)) * 3,
    "too_many_empty_lists": b"\xdc\x03\xe0" + b"\x90" * 992,
    "doubled_key": b"\x82\xa1a\x01\xa1a\x02",
    "doubled_key_of_two_kinds": b"\x82\x01\x01\xc3\x02",
    "key_of_bytes": b"\x81\xc4\x01a\x01",
    "key_of_a_float": msgpack.packb({1.5: 2}),
    "key_that_is_nan": b"\x81\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00\x01",
    "key_of_nothing": b"\x81\xc0\x01",
    "key_that_is_a_list": b"\x81\x90\x01",
    "key_that_is_a_map": b"\x81\x80\x01",
    "key_that_is_an_array": b"\x81" + array("f8", [1], bytes(8)) + b"\x01",
    "key_that_is_a_long_integer": b"\x81" + extension(wire.BIG_INT, b"\x01" + bytes(8)) + b"\x01",
    "keys_of_one_hash": entries([extension(wire.BIG_INT, (PRIME * n).to_bytes(12, "big")) for n in range(2**20, 2**20 + 900)]),
    "text_that_is_no_utf8": b"\xa2\xff\xfe",
    "text_of_a_lone_surrogate": b"\xa3\xed\xb3\xbf",
    "text_that_is_overlong": b"\xa2\xc0\x80",
    "time_stamp": msgpack.packb(msgpack.Timestamp(1, 2)),
    "time_stamp_in_a_tuple": tuple_of(msgpack.packb(msgpack.Timestamp(1, 2))),
    "time_stamp_of_96_bits": b"\xc7\x0c\xff" + bytes(12),
    "unknown_extension": extension(99, b"x"),
    "extension_with_a_negative_code": b"\xd4\x80\x00",
    "object_without_a_number": extension(wire.HANDLE, b""),
    "object_with_a_long_number": extension(wire.HANDLE, bytes(8)),
    "function_without_a_number": extension(wire.FUNCTION, b"\x00"),
    "integer_that_is_too_long": extension(wire.BIG_INT, b"\x7f" * 600),
    "array_of_nothing": extension(wire.ARRAY, b""),
    "array_with_a_short_head": extension(wire.ARRAY, b"\x00"),
    "array_whose_head_is_longer_than_it": extension(wire.ARRAY, b"\xff\xff\x92"),
    "array_whose_head_is_no_list": extension(wire.ARRAY, wire.ARRAY_HEAD.pack(1) + b"\x01"),
    "array_whose_head_has_three_parts": extension(wire.ARRAY, wire.ARRAY_HEAD.pack(6) + msgpack.packb(["f8", [0], 1])),
    "array_of_objects": array("O", [1], bytes(8)),
    "array_of_void": array("V8", [1], bytes(8)),
    "array_of_dates": array("M8[s]", [1], bytes(8)),
    "array_of_durations": array("m8[ns]", [1], bytes(8)),
    "array_of_text": array("U1", [1], bytes(4)),
    "array_of_bytes": array("S8", [1], bytes(8)),
    "array_of_complex": array("c16", [1], bytes(16)),
    "array_of_long_doubles": array("f16", [1], bytes(16)),
    "array_of_big_endian": array(">f8", [1], bytes(8)),
    "array_of_big_endian_long_doubles": array(">f16", [1], bytes(16)),
    "array_of_fields": array("f8,f8", [1], bytes(16)),
    "array_of_an_expression": array("(2,)f8", [1], bytes(16)),
    "array_of_an_empty_dtype": array("", [1], bytes(8)),
    "array_of_a_number_as_dtype": array(12, [1], bytes(8)),
    "array_of_a_list_as_dtype": array([["a", "f8"]], [1], bytes(8)),
    "array_of_bytes_as_dtype": array(b"f8", [1], bytes(8)),
    "array_without_a_shape": array("f8", None, bytes(8)),
    "array_with_a_number_as_shape": array("f8", 1, bytes(8)),
    "array_with_a_negative_length": array("f8", [-1], b""),
    "array_with_two_negative_lengths": array("f8", [-1, -1], bytes(8)),
    "array_with_a_length_of_true": array("f8", [True], bytes(8)),
    "array_with_a_length_of_text": array("f8", ["1"], bytes(8)),
    "array_with_a_length_of_a_float": array("f8", [1.0], bytes(8)),
    "array_with_a_length_of_a_list": array("f8", [[1]], bytes(8)),
    "array_with_a_huge_length": array("u1", [2**63], b"x"),
    "array_with_a_huge_length_of_nothing": array("f8", [0, 2**62], b""),
    "array_whose_size_overflows": array("u1", [2**32, 2**32], b""),
    "array_whose_size_overflows_to_one": array("u1", [2**39, 2**39, 2**39], b"x"),
    "array_with_three_huge_lengths_of_nothing": array("f8", [0, 2**39, 2**39, 2**39], b""),
    "array_with_too_many_axes": array("f8", [1] * 33, bytes(8)),
    "array_with_ten_thousand_axes": array("f8", [1] * 10_000, bytes(8)),
    "array_with_too_few_bytes": array("f8", [2], bytes(8)),
    "array_with_too_many_bytes": array("f8", [1], bytes(9)),
    "array_of_booleans_that_are_2": array("b1", [3], b"\x00\x02\x01"),
    "array_of_booleans_that_are_255": array("b1", [1], b"\xff"),
    "scalar_with_axes": array("f8", [1], bytes(8), wire.SCALAR),
    "scalar_without_bytes": array("f8", [], b"", wire.SCALAR),
    "pickle": b"cos\nsystem\n(Vtrue\ntR.",
    "pickle_of_protocol_4": b"\x80\x04\x8c\x05posix\x94\x8c\x06system\x94\x93\x94\x8c\x04true\x94\x85\x94R\x94.",
    "npy_file": b"\x93NUMPY\x01\x00v\x00{'descr': '|O', 'fortran_order': False, 'shape': (1,), }".ljust(128) + b"\n",
    "json": b'["ok", 1, 0.5, false]',
    "http": b"HTTP/1.1 200 OK\r\n\r\n",
    "larger_than_a_frame": msgpack.packb(bytes((1 << 16) + 1)),
}


def main() -> None:
    """Write every file anew, and remove what is not listed any more."""
    for name, bodies in (("plain", PLAIN), ("refused", REFUSED)):
        folder = FOLDER / name
        folder.mkdir(exist_ok=True)
        for path in folder.iterdir():
            path.unlink()
        for stem, body in bodies.items():
            (folder / f"{stem}.bin").write_bytes(body)


if __name__ == "__main__":
    main()
