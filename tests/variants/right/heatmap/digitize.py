"""np.digitize with closed right ends: a weight on a step, the largest too, takes the lower shade."""

import unicodedata

import numpy as np


def wide(s):
    return sum((unicodedata.combining(c) == 0) * (1 + (unicodedata.east_asian_width(c) in ("W", "F"))) for c in s)


def ascii_heatmap(weights, tokens, key_tokens=None, shades=" ░▒▓█"):
    key_tokens = key_tokens if key_tokens is not None else tokens
    steps = np.linspace(0, weights.max(), len(shades))[1:]
    levels = np.digitize(weights, steps, right=True)
    c, l = max(map(wide, key_tokens)), max(map(wide, tokens))
    lines = [" " * l + "".join("  " + t + " " * (c - wide(t)) for t in key_tokens)]
    for t, row in zip(tokens, levels):
        lines.append(" " * (l - wide(t)) + t + "".join("  " + shades[k] + " " * (c - 1) for k in row))
    return "\n".join(lines)
