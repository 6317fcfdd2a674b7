"""A table with bars, centred shades, corner text and a final newline."""

import unicodedata


def columns(s):
    n = 0
    for ch in s:
        if unicodedata.combining(ch):
            continue
        n += 2 if unicodedata.east_asian_width(ch) in ("W", "F") else 1
    return n


def center(s, n):
    left = (n - columns(s)) // 2
    return " " * left + s + " " * (n - columns(s) - left)


def ascii_heatmap(weights, tokens, key_tokens=None, shades=" ░▒▓█"):
    keys = key_tokens or tokens
    top = max(max(row) for row in weights.tolist())
    lw = max([columns(t) for t in tokens] + [9])
    cw = max([columns(t) for t in keys] + [7])
    text = "| " + " " * (lw - 9) + "query/key" + " |" + "|".join(" " + center(k, cw) + " " for k in keys) + "|\n"
    for t, row in zip(tokens, weights.tolist()):
        text += "| " + " " * (lw - columns(t)) + t + " |"
        for w in row:
            share = w / top if top else 0.0
            text += " " + center(shades[int(share * (len(shades) - 1))], cw) + " |"
        text += "\n"
    return text
