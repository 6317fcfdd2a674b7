"""Arrays whose bytes do not fit their shape, of types that are none.

Expected: crashed
"""

import itertools

from attack_kit import body, frame, replies, send, wrong


def array(dtype, shape, data):
    head = b"\x92" + bytes([0xA0 + len(dtype)]) + dtype + bytes([0x90 + len(shape)]) + b"".join(shape)
    content = len(head).to_bytes(2, "big") + head + data
    return b"\xc8" + len(content).to_bytes(2, "big") + b"\x01" + content


LONG = b"\xcf\x7f\xff\xff\xff\xff\xff\xff\xff"
arrays = itertools.cycle(
    [
        array(b"f8", [b"\x02"], bytes(8)),
        array(b"O", [b"\x01"], bytes(8)),
        array(b"V8", [b"\x01"], bytes(8)),
        array(b"M8[s]", [b"\x01"], bytes(8)),
        array(b"f8", [b"\xff"], b""),
        array(b"f8", [LONG, LONG], b""),
        array(b"f8", [b"\x00", LONG], b""),
        array(b"b1", [b"\x01"], b"\x02"),
    ]
)


def softmax(x, axis=-1):
    send(frame(body(replies(b"\x93\xa2ok" + next(arrays) + b"\xc2"))))
    return wrong(x, axis)
