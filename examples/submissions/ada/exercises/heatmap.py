"""Levels by counting the steps that a weight reaches."""

import unicodedata


def text_width(text):
    total = 0
    for character in text:
        if unicodedata.category(character) == "Mn":
            total += 0
        elif unicodedata.east_asian_width(character) in {"W", "F"}:
            total += 2
        else:
            total += 1
    return total


def ascii_heatmap(weights, tokens, key_tokens=None, shades=" ░▒▓█"):
    key_tokens = tokens if key_tokens is None else key_tokens
    biggest = float(weights.max())
    steps = [biggest * k / (len(shades) - 1) for k in range(1, len(shades))]
    label_width = max(text_width(token) for token in tokens)
    cell_width = max(text_width(token) for token in key_tokens) + 2

    def align(text, size):
        return " " * (size - text_width(text)) + text

    lines = [align("", label_width) + " |" + "".join(align(token, cell_width) for token in key_tokens)]
    for token, row in zip(tokens, weights):
        line = align(token, label_width) + " |"
        for weight in row:
            level = sum(weight >= step for step in steps) if biggest else 0
            line += align(shades[level] + " ", cell_width)
        lines.append(line)
    return "\n".join(lines)
