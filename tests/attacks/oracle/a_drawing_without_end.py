"""A drawing of forty million characters in one line, and in ten million lines.

Exercise: heatmap
Expected: failed
"""

import itertools

drawings = itertools.cycle(["\u0300" * 10_000_000, "x\n" * 10_000_000, " " * 30_000_000])


def ascii_heatmap(weights, tokens, key_tokens=None, shades=" ░▒▓█"):
    return next(drawings)
