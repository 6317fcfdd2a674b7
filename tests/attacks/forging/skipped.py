"""Raises what pytest raises to skip a test, or to end the run.

Expected: failed
"""


class Skipped(BaseException):
    allow_module_level = True
    msg = "skipped"


Skipped.__module__ = "_pytest.outcomes"


def softmax(x, axis=-1):
    raise Skipped("skipped")
