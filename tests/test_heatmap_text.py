"""Reading a heatmap that was drawn as text: every way of drawing that the exercise allows, and no wrong one."""

from __future__ import annotations

import time

import numpy as np
import pytest

from autograder.heatmap_text import LONGEST_LINE, allowed_levels, glyphs_of, problem_of
from autograder.language import speaking
from solutions.heatmap import display_width

SHADES = "0123456789"
TOKENS, KEYS = ["I", "喜欢", "deep"], ["我", "喜欢", "cafe\u0301", "ＧＰＵ", "of"]
WEIGHTS = np.array([[0.05, 0.2, 0.35, 0.3, 0.1], [0.62, 0.01, 0.17, 0.13, 0.07], [0.0, 0.5, 0.21, 0.09, 0.2]])
LEVELS = np.floor(WEIGHTS * 9 / 0.62).astype(int)


def draw(
    levels=LEVELS,
    tokens=TOKENS,
    keys=KEYS,
    *,
    cell=7,
    label=6,
    before=2,
    left="",
    bar="",
    end="",
    corner="",
    shades=SHADES,
    width=display_width,
):
    """A drawing: cells of `cell` columns, the shade after `before` blanks; tokens to the left in their cells."""

    def line(head, cells):
        return left + " " * (label - width(head)) + head + bar + bar.join(cells) + bar + end

    header = line(corner, [key + " " * (cell - width(key)) for key in keys])
    rows = [
        line(t, [" " * before + shades[level] + " " * (cell - before - 1) for level in row]) for t, row in zip(tokens, levels, strict=True)
    ]
    return "\n".join([header, *rows])


def problem(text, weights=WEIGHTS, tokens=TOKENS, keys=KEYS, shades=SHADES):
    with speaking("en"):
        found = problem_of(text, weights, tokens, keys, shades)
        return found and str(found)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"cell": 6, "before": 0},
        {"cell": 6, "before": 5},
        {"cell": 30, "before": 17},
        {"bar": "|"},
        {"bar": " │ ", "left": "│ "},
        {"end": "     "},
        {"end": " |\r"},
        {"corner": "q\\k"},
        {"corner": "of"},
        {"label": 20},
        {"label": 4},
    ],
)
def test_every_width_and_place_is_accepted(options):
    assert problem(draw(**options)) is None
    assert problem(draw(**options) + "\n") is None


def test_blank_is_a_shade_too():
    weights = np.array([[0.0, 0.0], [0.0, 1.0]])
    assert problem(" a b\na  \nb  █", weights, ["a", "b"], None, " ░▒▓█") is None
    assert problem(" a b\na\nb  █", weights, ["a", "b"], None, " ░▒▓█") is None
    assert problem(" a b\na\nb █", weights, ["a", "b"], None, " ░▒▓█") is not None
    assert problem(" a b\na\nb", np.zeros((2, 2)), ["a", "b"], None, " ░▒▓█") is None


def test_a_single_key():
    assert problem("  a\na █\nb █", np.ones((2, 1)), ["a", "b"], ["a"], " ░▒▓█") is None
    assert problem("  a\na █\nb  ", np.ones((2, 1)), ["a", "b"], ["a"], " ░▒▓█") is not None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (draw(width=len), "line"),
        (draw(keys=KEYS[::-1]), "Line 0"),
        (draw(keys=[key[:2] for key in KEYS]), "Line 0"),
        (draw(tokens=TOKENS[::-1]), "Line 1"),
        (draw(levels=LEVELS[:, ::-1]), "Line 1"),
        (draw(levels=LEVELS[::-1]), "Line 1"),
        (draw(levels=9 - LEVELS), "Line 1"),
        (draw(levels=np.minimum(LEVELS + 1, 9)), "Line 1"),
        (draw() + "\nextra", "exactly one line"),
        ("\n" + draw(), "exactly one line"),
        (draw().partition("\n")[2], "exactly one line"),
        (draw(end=" 5"), "line 1"),
        ("", "exactly one line"),
        (draw(cell=100), "longer than"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text, says):
    assert says in problem(text)


def test_labels_are_right_aligned():
    lines = draw().split("\n")
    lines[2] = lines[2][:2] + lines[2][3:]  # one blank less before 喜欢
    assert "Line 2" in problem("\n".join(lines))


def test_one_wrong_cell_is_enough():
    for cell in np.ndindex(LEVELS.shape):
        levels = LEVELS.copy()
        levels[cell] = (levels[cell] + 5) % 10
        assert f"Line {cell[0] + 1}" in problem(draw(levels=levels))


def test_a_cell_filled_with_its_shade_is_refused():
    assert problem(draw().replace("  3    ", "3333333")) is not None


def test_columns_as_wide_as_their_tokens_are_refused():
    header = "     " + "".join(f" {key}" for key in KEYS)
    rows = [
        " " * (5 - display_width(token))
        + token
        + "".join(" " * display_width(key) + SHADES[level] for key, level in zip(KEYS, row, strict=True))
        for token, row in zip(TOKENS, LEVELS, strict=True)
    ]
    assert "line up" in problem("\n".join([header, *rows]))


def test_a_weight_on_a_step_may_take_either_shade():
    lower, upper = allowed_levels(np.array([[0.0, 0.2, 0.4, 0.8], [0.2 + 1e-10, 0.2 - 1e-10, 0.2 + 1e-7, 0.2 - 1e-7]]), 5)
    assert lower.tolist() == [[0, 0, 1, 3], [0, 0, 1, 0]]
    assert upper.tolist() == [[0, 1, 2, 4], [1, 1, 1, 0]]
    assert [levels.tolist() for levels in allowed_levels(np.zeros((1, 2)), 5)] == [[[0, 0]], [[0, 0]]]


def test_columns_are_those_of_a_terminal():
    assert [(g.start, g.end) for g in glyphs_of("a深e\u0301Ｇ")] == [(0, 1), (1, 3), (3, 4), (4, 6)]


def test_a_hostile_drawing_is_read_in_bounded_time():
    half = LONGEST_LINE // 2
    text = "\n".join([" " * half + "a" + " " * (half - 3) + "b"] + [f"{token}" + " 1" * (half - 1) for token in "ab"])
    start = time.monotonic()
    assert problem(text, np.full((2, 2), 0.5), ["a", "b"], ["a", "b"]) is not None
    assert time.monotonic() - start < 10
