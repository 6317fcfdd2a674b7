"""Raises exceptions of classes with names that a page or a terminal would obey.

Expected: failed
"""

import itertools

NAMES = ["<script>alert(1)</script>", "\x1b[2J\x1b[31mred", "\u202egnp", "=1+1", "{{7*7}}", "a" * 10**6, "\udcff", "</td>"]
names = itertools.cycle(NAMES)


def make(name):
    return type(name, (Exception,), {"__str__": lambda self: name})


def softmax(x, axis=-1):
    raise make(next(names))
