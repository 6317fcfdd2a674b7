"""The shade under the middle of its token, wherever that is in the cell."""

import unicodedata

import numpy as np


def ascii_heatmap(weights, tokens, key_tokens=None, shades=" ░▒▓█", gap=2):
    def size(s):
        return sum(1 + (unicodedata.east_asian_width(c) in "FW") for c in s if unicodedata.combining(c) == 0)

    keys = tokens if key_tokens is None else key_tokens
    c = max(size(k) for k in keys) + gap
    l = max(size(t) for t in tokens)
    top = np.max(weights) or 1.0
    head = " " * l + "".join(k + " " * (c - size(k)) for k in keys)
    body = []
    for t, row in zip(tokens, np.array(weights)):
        cells = ""
        for k, x in zip(keys, row):
            before = size(k) // 2
            cells += " " * before + shades[int(x * (len(shades) - 1) / top)] + " " * (c - before - 1)
        body.append(" " * (l - size(t)) + t + cells)
    return "\n".join([head, *body])
