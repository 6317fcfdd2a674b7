"""Dark for small weights."""

import unicodedata

import numpy as np


def width(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def rjust(text, columns):
    return " " * (columns - width(text)) + text


def ascii_heatmap(weights, tokens, key_tokens=None, shades=" ░▒▓█"):
    if key_tokens is None:
        key_tokens = tokens
    largest = weights.max()
    label = max(width(t) for t in tokens)
    cell = max(width(t) for t in key_tokens) + 1
    lines = [" " * label + "".join(rjust(t, cell) for t in key_tokens)]
    for i, token in enumerate(tokens):
        line = rjust(token, label)
        for j in range(len(key_tokens)):
            level = int(weights[i, j] * (len(shades) - 1) / largest) if largest > 0 else 0
            line += rjust(shades[len(shades) - 1 - level], cell)
        lines.append(line)
    return "\n".join(lines)
