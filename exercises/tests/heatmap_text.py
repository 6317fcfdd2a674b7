"""Reads a heatmap drawn as text, by display width, however wide its cells are. Only the tests of exercise `heatmap` need it.

`autograder build` copies this file to exercises/tests/, so that visible and hidden tests read a drawing alike.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from .language import Text

LONGEST_LINE = 500
LONGEST_DRAWING = 100_000
BARS = frozenset("|│┃║¦┆┊[(<")  # what may stand before a label
STEP_TOLERANCE = 1e-9


class Glyph(NamedTuple):
    """A character with the combining marks on it, and the terminal columns that it takes."""

    text: str
    start: int
    end: int


_glyph: Callable[[tuple[str, int, int]], Glyph] = partial(tuple.__new__, Glyph)


@dataclass(frozen=True)
class Grid:
    """Where the cells are: cell j takes the terminal columns from start + j*width on."""

    start: int
    width: int


def problem_of(
    drawing: str, weights: np.ndarray, tokens: Sequence[str], key_tokens: Sequence[str] | None = None, shades: str = " ░▒▓█"
) -> Text | None:
    """What is wrong with a drawing of these weights (n_q, n_k), as a sentence that names the line; None where nothing is.

    A drawing is right where there is some grid of equally wide cells in which the header's tokens and every line's shades
    stand; bars, corner text, trailing blanks and a final newline are ignored.
    """
    key_tokens = tokens if key_tokens is None else key_tokens
    drawing = drawing[: LONGEST_DRAWING + 1].rstrip()
    lines = drawing.split("\n")
    if len(lines) != len(tokens) + 1 or len(drawing) > LONGEST_DRAWING:
        return Text("It must have a header line and then exactly one line for each query.", "必须先有一行表头，然后每个查询恰好一行。")
    if max(map(len, lines)) > LONGEST_LINE:
        return Text(f"A line must not be longer than {LONGEST_LINE} characters.", f"一行不能超过 {LONGEST_LINE} 个字符。")
    header, *rows = (glyphs_of(line) for line in lines)
    found = _places_of(key_tokens, header)
    if found is None:
        return Text(
            "Line 0, the header, must show all key tokens in their order, each of them whole.",
            "第 0 行（表头）必须按顺序完整地显示所有键词元。",
        )
    ends = [_end_of_label(token, row) for token, row in zip(tokens, rows, strict=True)]
    for i, end in enumerate(ends, start=1):
        if end is None:
            return Text(f"Line {i} must begin with the whole label of its query.", f"第 {i} 行必须以该查询的完整标签开头。")
        if end != ends[0]:
            return Text(
                f"The label in line {i} ends in another column of the terminal than the label in line 1; labels are right-aligned by "
                "display width.",
                f"第 {i} 行的标签与第 1 行的标签不在同一个终端列结束；标签要按显示宽度右对齐。",
            )
    return _problem_of_cells(rows, found, ends[0] or 0, allowed_levels(weights, len(shades)), shades)


def _problem_of_cells(
    rows: list[list[Glyph]], header: list[Glyph], left: int, allowed: tuple[np.ndarray, np.ndarray], shades: str
) -> Text | None:
    """The problem under the grid that suits the drawing best. left: the column in which the labels end."""
    marks = [[g for g in row if g.start >= left and g.text != " " and g.text in shades] for row in rows]
    best: tuple[int, int, Text] | None = None
    for grid in _grids(header, left):
        problems = [
            _problem_of_row(i, _levels_of(row, grid, len(header), shades), lower, upper)
            for i, (row, lower, upper) in enumerate(zip(marks, *allowed, strict=True), start=1)
        ]
        wrong = [problem for problem in problems if problem is not None]
        if not wrong:
            return None
        out_of_place = sum(rank for rank, _ in wrong)
        if best is None or (out_of_place, len(wrong)) < best[:2]:
            best = (out_of_place, len(wrong), max(wrong, key=lambda problem: problem[0])[1])
    if best is None:
        return Text(
            "The columns do not line up: in line 0, the header, the key tokens do not stand in cells of one display width.",
            "各列没有对齐：第 0 行（表头）中，键词元没有位于显示宽度相同的单元格里。",
        )
    return best[2]


def _problem_of_row(number: int, levels: list[int] | None, lower: np.ndarray, upper: np.ndarray) -> tuple[int, Text] | None:
    """A line's problem: with 1 where its shades are not one in each cell, with 0 where they are, but of other levels."""
    if levels is None:
        return 1, Text(
            f"The columns do not line up in line {number}: each key's cell must hold one shade, below that key in the header.",
            f"第 {number} 行的各列没有对齐：每个键的单元格里必须恰好有一个灰度字符，并位于表头中该键的下方。",
        )
    if not all(low <= level <= high for low, level, high in zip(lower, levels, upper, strict=True)):
        return 0, Text(
            f"Line {number} has a wrong shade: the level is ⌊w·(len(shades) − 1) / max⌋, max being the largest weight of the whole matrix.",
            f"第 {number} 行有灰度字符不对：级别是 ⌊w·(len(shades) − 1) / max⌋，其中 max 是整个矩阵中最大的权重。",
        )
    return None


def glyphs_of(line: str) -> list[Glyph]:
    """The characters of a line with their columns: East Asian wide and full-width ones take two, combining marks none."""
    widths = list(map(width_of, line))
    if 0 not in widths:  # as nearly always, and in a fraction of the time
        ends = list(accumulate(widths))
        return [*map(_glyph, zip(line, [0, *ends], ends, strict=False))]
    glyphs: list[Glyph] = []
    column = 0
    for char, width in zip(line, widths, strict=True):
        if glyphs and width == 0:
            last = glyphs[-1]
            glyphs[-1] = Glyph(last.text + char, last.start, last.end)
            continue
        end = column + (width or _width_alone(char))
        glyphs.append(Glyph(char, column, end))
        column = end
    return glyphs


@lru_cache(256)
def texts_of(token: str) -> list[str]:
    """The characters of a token, which is looked for line by line."""
    return [glyph.text for glyph in glyphs_of(token)]


@lru_cache(4096)
def width_of(char: str) -> int:
    """The columns that a character takes: none for a combining mark, which stands on the one before it."""
    return 0 if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me") else _width_alone(char)


def _width_alone(char: str) -> int:
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def allowed_levels(weights: np.ndarray, n_shades: int) -> tuple[np.ndarray, np.ndarray]:
    """The lowest and the highest right level of each weight; they differ where the weight is as good as on a step."""
    weights = np.asarray(weights, np.float64)
    largest = float(weights.max())
    if largest <= 0.0 or n_shades < 2:
        return np.zeros(weights.shape, dtype=int), np.zeros(weights.shape, dtype=int)
    exact = weights * (n_shades - 1) / largest
    step = np.rint(exact).astype(int)
    on_a_step = (np.abs(exact - step) <= STEP_TOLERANCE) | (np.abs(weights - step * largest / (n_shades - 1)) <= STEP_TOLERANCE)
    level = np.floor(exact).astype(int)
    return np.where(on_a_step, np.maximum(step - 1, 0), level), np.where(on_a_step, step, level)


def _places_of(key_tokens: Sequence[str], header: list[Glyph]) -> list[Glyph] | None:
    """Each key token with its columns. Looked for from the right, because corner text may stand on the left."""
    places: list[Glyph] = []
    stop = len(header)
    for token in reversed(key_tokens):
        wanted = texts_of(token)
        at = next(
            (i for i in range(stop - len(wanted), -1, -1) if [glyph.text for glyph in header[i : i + len(wanted)]] == wanted),
            None,
        )
        if at is None:
            return None
        places.append(Glyph(token, header[at].start, header[at + len(wanted) - 1].end))
        stop = at
    return places[::-1]


def _end_of_label(token: str, row: list[Glyph]) -> int | None:
    """The column in which a line's label ends; None where the line does not begin with it."""
    wanted = texts_of(token)
    for i, glyph in enumerate(row):
        if [g.text for g in row[i : i + len(wanted)]] == wanted:
            return row[i + len(wanted) - 1].end
        if not (glyph.text.isspace() or glyph.text in BARS):
            return None
    return None


def _grids(header: list[Glyph], left: int) -> Iterator[Grid]:
    """Every grid to the right of the labels in whose cells the header's tokens stand, token j in cell j."""
    n_k = len(header)
    widest = max(token.end - token.start for token in header)
    if n_k == 1:
        if left <= header[0].start:
            yield Grid(left, 2 * LONGEST_LINE)
        return
    for width in range(widest, (header[-1].start - left) // (n_k - 1) + 1):
        first = max(left, *(token.end - (j + 1) * width for j, token in enumerate(header)))
        last = min(token.start - j * width for j, token in enumerate(header))
        for start in range(first, last + 1):
            yield Grid(start, width)


def _levels_of(marks: list[Glyph], grid: Grid, n_k: int, shades: str) -> list[int] | None:
    """The level in each cell of a line; None where a cell does not hold exactly one shade, or one stands outside of the cells.

    marks: the shades that can be seen. A cell without any holds the blank, where that is a shade.
    """
    levels: dict[int, int] = {}
    for mark in marks:
        cell = (mark.start - grid.start) // grid.width
        if not 0 <= cell < n_k or cell in levels or mark.end > grid.start + (cell + 1) * grid.width:
            return None
        levels[cell] = shades.index(mark.text)
    if len(levels) < n_k and " " not in shades:
        return None
    return [levels.get(cell, shades.find(" ")) for cell in range(n_k)]
