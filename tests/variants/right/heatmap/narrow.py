"""Cells as narrow as can be, shades on the left, no blank between the columns."""

import unicodedata

import numpy as np


def w(s):
    return sum({"W": 2, "F": 2}.get(unicodedata.east_asian_width(c), 1) for c in s if not unicodedata.combining(c))


def ascii_heatmap(weights, tokens, key_tokens=None, shades=" ░▒▓█"):
    key_tokens = list(tokens) if key_tokens is None else list(key_tokens)
    m = weights.max()
    level = np.zeros(weights.shape, int) if m == 0 else np.floor(weights / m * (len(shades) - 1)).astype(int)
    a, b = max(map(w, tokens)), max(map(w, key_tokens))
    pad = lambda s: s + " " * (b - w(s))
    out = [" " * a + "".join(map(pad, key_tokens))]
    for t, row in zip(tokens, level):
        out.append((" " * (a - w(t)) + t + "".join(pad(shades[l]) for l in row)).rstrip())
    return "\n".join(out)
