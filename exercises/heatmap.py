"""An attention matrix as text: the darker a character, the larger the weight. For the terminal, where no picture can be shown."""

import unicodedata
from collections.abc import Sequence

import numpy as np


def display_width(text: str) -> int:
    """How many columns of a terminal a text takes, like the shape (width,) of a row of cells.

    An East Asian wide or full-width character takes two, a combining mark (an accent that is put on the letter before it)
    takes none, every other character one. This is a helper for `ascii_heatmap`; only that is graded.

    Example: four letters; two Chinese characters; "é" written as an e and a combining accent.

    >>> display_width("deep"), display_width("深度"), display_width("e" + chr(0x301))
    (4, 4, 1)

    Source: Unicode Standard Annex 11, East Asian Width.
    """
    # TODO 1: add up the widths of the characters. `unicodedata.east_asian_width(char)` is "W" or "F" for the wide ones,
    #         `unicodedata.combining(char)` is not 0 for a combining mark.
    raise NotImplementedError("to do: follow the TODO comments above, then delete this line")


def ascii_heatmap(weights: np.ndarray, tokens: Sequence[str], key_tokens: Sequence[str] | None = None, shades: str = " ░▒▓█") -> str:
    """Draw attention weights as lines of text: a header with the key tokens, then one line for each query.

    weights: (n_q, n_k), not negative. It is not modified.
    tokens: (n_q,), the query tokens, which label the lines.
    key_tokens: (n_k,), the key tokens, which head the columns; None: the same as `tokens` (self-attention).
    shades: one character per level, from "no weight" to "the largest weight".
    Returns: the whole drawing as one string, its n_q + 1 lines joined by newlines:
        line 0: blanks above the labels, then the key tokens, each in the cell of its column;
        line i (from 1): the label of query i, right-aligned in the label column, then one cell per key with ONE shade in it
        and blanks around it. All cells of the drawing take the same number of terminal columns, wide enough for the
        longest key token, so that columns line up whatever the tokens are.
        How wide a cell is beyond that, and where in it the token or the shade stands, is yours to choose. Bars, a corner text,
        trailing blanks and a final newline do no harm.
    The level of a weight w is floor(w * (len(shades) - 1) / max), with the largest weight of the WHOLE matrix as max; a weight
    within 1e-9 of a step may take the shade below or above it. Where all weights are 0 every level is 0.

    Example: the cells here are six columns wide, one more than the longest key token.

    >>> print(ascii_heatmap(np.array([[0.0, 0.25, 1.0], [0.5, 0.75, 0.0]]), ["the", "cat"], ["一", "two", "three"], shades="0123456789"))
           一   two three
    the     0     2     9
    cat     4     6     0
    """
    # TODO 1: the keys' labels, where none are given.
    # TODO 2: the level of each weight, a whole number from 0 to len(shades) - 1. Mind the matrix that is 0 everywhere.
    # TODO 3: the width of the label column and of a cell, from the display widths of the tokens. `f"{token:>6}"` and
    #         `str.rjust` count characters: beside 深度 they add too many blanks. Add the blanks yourself.
    # TODO 4: the header line, then a line per query; join them.
    raise NotImplementedError("to do: follow the TODO comments above, then delete this line")
