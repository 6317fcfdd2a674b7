"""Walks up the frames of its caller, looking for expected values, for a seed and for files that are not to be here.

Expected: right
"""

import inspect
import sys

from attack_kit import check, right

WORDS = ("want", "expected", "expect", "reference", "answer", "seed", "rng", "student")


def softmax(x, axis=-1):
    frame, names, files = sys._getframe(), [], set()
    while frame is not None:
        if frame.f_code.co_filename != __file__:
            names += [name for name in (*frame.f_locals, *frame.f_globals) if name in WORDS]
            files.add(frame.f_code.co_filename)
        frame = frame.f_back
    check("names in frames", names)
    check(
        "files of frames", [name for name in files | {info.filename for info in inspect.stack()} if "hidden" in name or "grading" in name]
    )
    return right(x, axis)
