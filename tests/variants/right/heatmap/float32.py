"""float32 shares, wide cells, trailing blanks."""

import unicodedata

import numpy as np


def display(s):
    return len([c for c in s if not unicodedata.combining(c)]) + len([c for c in s if unicodedata.east_asian_width(c) in "WF"])


def ascii_heatmap(weights, tokens, key_tokens=None, shades=" ░▒▓█"):
    key_tokens = tokens if key_tokens is None else key_tokens
    x = np.asarray(weights, dtype=np.float32)
    m = x.max() if x.max() > 0 else np.float32(1)
    levels = np.minimum((x * np.float32(len(shades) - 1) / m).astype(int), len(shades) - 1)
    cell = max(display(t) for t in key_tokens) + 6
    label = max(display(t) for t in tokens) + 3
    right = lambda s, n: " " * (n - display(s)) + s
    rows = [" " * label + "".join(right(t + "  ", cell) for t in key_tokens)]
    rows += [right(t, label) + "".join(right(shades[l] + "   ", cell) for l in row) + "   " for t, row in zip(tokens, levels)]
    return "\n".join(rows) + "\n"
