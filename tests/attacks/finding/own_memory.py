"""Searches every object of its own process for the solutions, the hidden tests, expected values and the course seed.

Expected: right
"""

import gc
import hashlib
import sys
import types

from attack_kit import check, right
from outside import SEED_HASH

FOREIGN = (
    "solutions",
    "autograder.hidden",
    "autograder.grading",
    "autograder.reports",
    "autograder.jail",
    "autograder.misconceptions",
    "pytest",
)


def is_seed(value):
    return type(value) is int and value > 10**6 and hashlib.sha256(str(value).encode()).hexdigest() == SEED_HASH


def search():
    objects = gc.get_objects()
    modules = [thing.__name__ for thing in objects if isinstance(thing, types.ModuleType) and thing.__name__.startswith(FOREIGN)]
    functions = [thing.__code__.co_filename for thing in objects if isinstance(thing, types.FunctionType)]
    check("modules", modules)
    check("files of functions", sorted({name for name in functions if "/solutions/" in name or "/hidden/" in name or "/grading/" in name}))
    texts = [text for thing in objects if type(thing) in (dict, list, tuple) for text in (thing.values() if type(thing) is dict else thing)]
    check("the seed", [value for value in texts if is_seed(value)])
    words = ("course_seed", "test_the_last_axis", "BEGIN SOLUTION", "to_match")
    check(
        "words of the tests",
        [
            text[:80]
            for text in texts
            if type(text) is str and len(text) < 10**6 and any(word in text for word in words) and text not in words
        ],
    )


search()
del sys.modules["outside"]
done = False


def softmax(x, axis=-1):
    global done
    if not done:
        done = True
        search()
    return right(x, axis)
