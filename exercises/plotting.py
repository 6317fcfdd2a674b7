"""Provided, not an exercise: attention matrices as pictures, with matplotlib. The notebook draws with it.

    draw_attention(weights, tokens)                      one matrix
    draw_difference(weights_a, weights_b, tokens_a)      two matrices and what differs
    draw_heads(weights, tokens)                          all heads of one attention

Each function returns a matplotlib figure and shows nothing by itself. In a notebook the picture appears where the call is the
last line of a cell; anywhere else save it: `draw_attention(weights, tokens).savefig("attention.png")`.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Fonts with Chinese characters, by the names that Linux, macOS and Windows give them; tried before all others.
CHINESE_FONTS = (
    *("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Noto Sans CJK JP"),
    *("PingFang SC", "Hiragino Sans GB", "Heiti TC", "Microsoft YaHei", "SimHei", "SimSun", "Arial Unicode MS", "Droid Sans Fallback"),
)
PLACEHOLDERS = "Last Resort"  # a font that matplotlib brings along: it has a frame for every character, and draws none
MOST_NUMBERS_SHOWN = 8  # rows or columns; in a larger matrix the numbers in the cells could not be read
LONGEST_UPRIGHT_LABEL = 5
UNDRAWABLE = "□"


def draw_attention(weights: np.ndarray, tokens: Sequence[str], key_tokens: Sequence[str] | None = None, title: str = "") -> Figure:
    """One attention matrix: a row per query, a column per key, the darker the larger the weight.

    weights: (n_q, n_k). tokens: the n_q query tokens. key_tokens: the n_k key tokens, None = the same as `tokens`.
    Returns: the figure.
    Raises: ValueError where the tokens are not as many as the rows or columns; ImportError without matplotlib.
    """
    weights, key_tokens = np.asarray(weights, dtype=float), tokens if key_tokens is None else key_tokens
    _check(weights, tokens, key_tokens)
    n_q, n_k = weights.shape
    figure = _figure(1.6 + 0.62 * n_k, 1.2 + 0.5 * n_q)
    text = _Text(key_tokens, *tokens, title)
    axes = figure.add_subplot()
    image = _matrix(axes, weights, text.labels(tokens), text.labels(key_tokens), text, vmax=_largest(weights))
    figure.colorbar(image, ax=axes, shrink=0.8)
    _title(axes, title, text)
    text.note(figure)
    return figure


def draw_difference(
    weights_a: np.ndarray,
    weights_b: np.ndarray,
    tokens_a: Sequence[str],
    tokens_b: Sequence[str] | None = None,
    titles: tuple[str, str] = ("a", "b"),
) -> Figure:
    """Two self-attention matrices of one size side by side, and what the second has more (red) or less (blue) than the first.

    weights_a, weights_b: (n, n). tokens_a, tokens_b: the n tokens of each sentence, tokens_b = None: the same as `tokens_a`.
    titles: of the two.
    Returns: the figure.
    Raises: ValueError where the sizes do not fit together; ImportError without matplotlib.
    """
    weights_a, weights_b = np.asarray(weights_a, dtype=float), np.asarray(weights_b, dtype=float)
    tokens_b = tokens_a if tokens_b is None else tokens_b
    _check(weights_a, tokens_a, tokens_a)
    _check(weights_b, tokens_b, tokens_b)
    if weights_a.shape != weights_b.shape:
        raise ValueError(f"weights_a is {weights_a.shape}, but weights_b is {weights_b.shape}; compare matrices of one size")
    n = len(tokens_a)
    figure = _figure(3 * (1.4 + 0.55 * n), 1.2 + 0.5 * n)
    both = [a if a == b else f"{a}/{b}" for a, b in zip(tokens_a, tokens_b, strict=True)]
    text = _Text(both, *tokens_a, *tokens_b, *titles)
    left, middle, right = figure.subplots(1, 3)
    largest = _largest(weights_a, weights_b)
    for axes, weights, tokens, title in ((left, weights_a, tokens_a, titles[0]), (middle, weights_b, tokens_b, titles[1])):
        image = _matrix(axes, weights, text.labels(tokens), text.labels(tokens), text, vmax=largest)
        _title(axes, title, text)
    figure.colorbar(image, ax=[left, middle], shrink=0.8)
    difference = weights_b - weights_a
    span = _largest(np.abs(difference))
    image = _matrix(right, difference, text.labels(both), text.labels(both), text, vmin=-span, vmax=span, colours="RdBu_r")
    figure.colorbar(image, ax=right, shrink=0.8)
    _title(right, f"{titles[1]} − {titles[0]}", text)
    text.note(figure)
    return figure


def draw_heads(weights: np.ndarray, tokens: Sequence[str], key_tokens: Sequence[str] | None = None, title: str = "") -> Figure:
    """All heads of one attention in a grid, on one scale of colours.

    weights: (n_heads, n_q, n_k). tokens: the n_q query tokens. key_tokens: the n_k key tokens, None = the same as `tokens`.
    Returns: the figure.
    Raises: ValueError where the tokens are not as many as the rows or columns; ImportError without matplotlib.
    """
    weights, key_tokens = np.asarray(weights, dtype=float), tokens if key_tokens is None else key_tokens
    if weights.ndim != 3:
        raise ValueError(f"weights must be (n_heads, n_q, n_k), but they are {weights.shape}; take one sentence of a batch")
    _check(weights[0], tokens, key_tokens)
    n_heads, n_q, n_k = weights.shape
    columns = min(n_heads, 4) if n_heads % 4 == 0 or n_heads < 4 else 3
    rows = -(-n_heads // columns)
    figure = _figure(1.2 + columns * (0.5 + 0.42 * n_k), 0.8 + rows * (0.9 + 0.4 * n_q))
    text = _Text(key_tokens, *tokens, title)
    grid = figure.subplots(rows, columns, squeeze=False).ravel()
    for head, axes in enumerate(grid):
        if head >= n_heads:
            axes.axis("off")
            continue
        labels = text.labels(tokens) if head % columns == 0 else [""] * n_q
        image = _matrix(axes, weights[head], labels, text.labels(key_tokens), text, vmax=_largest(weights), numbers=False)
        axes.set(xlabel="", ylabel="query" if head % columns == 0 else "")
        _title(axes, f"head {head}", text)
    figure.colorbar(image, ax=grid.tolist(), shrink=0.6)
    if title:
        figure.suptitle(text.line(title), fontfamily=text.families)
    text.note(figure)
    return figure


def _check(weights: np.ndarray, tokens: Sequence[str], key_tokens: Sequence[str]) -> None:
    if weights.ndim != 2:
        raise ValueError(f"weights must be one matrix (n_q, n_k), but they are {weights.shape}; take one sentence, one head")
    if weights.shape != (len(tokens), len(key_tokens)):
        raise ValueError(f"weights are {weights.shape}, but there are {len(tokens)} query tokens and {len(key_tokens)} key tokens")


def _largest(*matrices: np.ndarray) -> float:
    """The end of the scale of colours; 1 where everything is 0."""
    return max(float(matrix.max()) for matrix in matrices) or 1.0


def _figure(width: float, height: float) -> Figure:
    """An empty figure, in inches. It is closed for pyplot, or a notebook would show it a second time at the end of the cell."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("the pictures need matplotlib: pip install matplotlib. Without it, ascii_heatmap draws with text") from error
    figure = plt.figure(figsize=(min(width, 16.0), min(height, 12.0)), layout="constrained")
    plt.close(figure)
    return figure


def _matrix(
    axes: Axes,
    matrix: np.ndarray,
    rows: Sequence[str],
    columns: Sequence[str],
    text: _Text,
    *,
    vmax: float,
    vmin: float = 0.0,
    colours: str = "Blues",
    numbers: bool = True,
) -> Any:
    """A coloured matrix with its labels; the colour scale's object is returned."""
    image = axes.imshow(matrix, cmap=colours, vmin=vmin, vmax=vmax, aspect="auto")
    axes.xaxis.tick_top()
    axes.set_xticks(range(len(columns)), columns, fontfamily=text.families)
    axes.set_yticks(range(len(rows)), rows, fontfamily=text.families)
    if text.slanted:
        for label in axes.get_xticklabels():
            label.set(rotation=45, ha="left", rotation_mode="anchor")
    axes.tick_params(length=0)
    axes.set(xlabel="key", ylabel="query")
    if numbers and max(matrix.shape) <= MOST_NUMBERS_SHOWN:
        for (i, j), value in np.ndenumerate(matrix):
            shown, dark = f"{value:.2f}".replace("-0.00", "0.00"), abs(value) > 0.6 * vmax
            axes.text(j, i, shown, ha="center", va="center", fontsize="small", color="white" if dark else "black")
    return image


def _title(axes: Axes, title: str, text: _Text) -> None:
    if title:
        axes.set_title(text.line(title), fontfamily=text.families)


class _Text:
    """The texts of one figure: which fonts they need, and what stands in for characters that no font here has."""

    def __init__(self, columns: Sequence[str], *others: str):
        self.families, self.missing = _fonts_for(frozenset("".join([*columns, *others])))
        self.slanted = max(map(len, columns)) > LONGEST_UPRIGHT_LABEL
        self.replaced = False
        if self.missing:
            _say_once()

    def labels(self, tokens: Sequence[str]) -> list[str]:
        """The tokens, each as it is or, where it cannot be drawn, as its position: #1, #2, ..."""
        shown = [f"#{i}" if self.missing & set(token) else token for i, token in enumerate(tokens, start=1)]
        self.replaced |= shown != list(tokens)
        return shown

    def line(self, title: str) -> str:
        """A title, with a box for each character that cannot be drawn."""
        return "".join(UNDRAWABLE if char in self.missing else char for char in title)

    def note(self, figure: Figure) -> None:
        """Below the picture: what #1 means."""
        if self.replaced:
            figure.supxlabel("#1 is the first token, and so on: no font on this machine has its characters", fontsize="x-small")


@cache
def _say_once() -> None:
    warnings.warn(
        "No font on this machine has all the characters of these tokens; labels that cannot be drawn show the token's position, #1, #2, "
        "... Install a font that has them (for Chinese e.g. Noto Sans CJK: `apt install fonts-noto-cjk`) and restart Python. "
        "本机没有包含这些字符的字体；无法显示的标签以词元的位置 #1、#2 …… 代替。"
        "请安装相应的字体（中文可用 Noto Sans CJK），然后重新启动 Python。",
        stacklevel=4,
    )


@cache
def _fonts_for(characters: frozenset[str]) -> tuple[list[str], frozenset[str]]:
    """The font families that draw these characters together, the usual one first; and the characters that none of them has."""
    from matplotlib import rcParams

    families = list(rcParams["font.family"])
    missing = {char for char in characters if not char.isspace()}.difference(*map(_characters_of, families))
    if missing:
        for name in _other_fonts():
            found = missing & _characters_of(name)
            if found:
                families.append(name)
                missing -= found
            if not missing:
                break
    return families, frozenset(missing)


def _other_fonts() -> Iterator[str]:
    installed = _files()
    yield from (name for name in CHINESE_FONTS if name in installed)
    yield from sorted(name for name in installed.keys() - set(CHINESE_FONTS) if not name.startswith(PLACEHOLDERS))


@cache
def _files() -> dict[str, str]:
    """Family -> file of every installed font, the upright one of normal weight where there are several."""
    from matplotlib import font_manager

    entries = sorted(font_manager.fontManager.ttflist, key=lambda entry: (entry.style == "normal", entry.weight in (400, "normal")))
    return {entry.name: entry.fname for entry in entries}


@cache
def _characters_of(family: str) -> frozenset[str]:
    """What a font can draw; a generic family such as sans-serif stands for the font that matplotlib takes for it."""
    from matplotlib import font_manager

    path = _files().get(family) or font_manager.findfont(font_manager.FontProperties(family=[family]))
    return frozenset(map(chr, font_manager.get_font(path).get_charmap()))
