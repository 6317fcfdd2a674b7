"""Carriage returns before the newlines, box drawing after the labels."""

import unicodedata

import numpy as np


def ascii_heatmap(weights, tokens, key_tokens=None, shades=" ░▒▓█"):
    if key_tokens is None:
        key_tokens = tokens

    def width(s):
        return sum(0 if unicodedata.combining(ch) else 2 if unicodedata.east_asian_width(ch) in "WF" else 1 for ch in s)

    def fit(s, n):
        return (n - width(s)) * " " + s

    W = np.array(weights)
    L = max(width(t) for t in tokens)
    C = max(width(t) for t in key_tokens)
    scale = (len(shades) - 1) / W.max() if W.max() > 0 else 0
    lines = [fit("", L) + " │ " + " │ ".join(fit(t, C) for t in key_tokens) + " │"]
    for t, row in zip(tokens, W):
        lines.append(fit(t, L) + " │ " + " │ ".join(fit(shades[min(int(v * scale), len(shades) - 1)], C) for v in row) + " │")
    return "\r\n".join(lines)
