"""What learners get wrong in exercise `heatmap`."""

import unicodedata

import numpy as np

from autograder.misconceptions.catalogue import wrong
from solutions.heatmap import ascii_heatmap as right_heatmap
from solutions.heatmap import display_width as right_width

FIVE = " ░▒▓█"


def padded(text, columns, width):
    """Right-aligned by a width of one's own."""
    return " " * (columns - width(text)) + text


def drawn(levels, tokens, key_tokens, shades, width=right_width):
    """The drawing of given levels, laid out as it should be but for `width`."""
    key_tokens = tokens if key_tokens is None else key_tokens
    label, cell = max(map(width, tokens)), 1 + max(map(width, key_tokens))
    lines = [" " * label + "".join(padded(token, cell, width) for token in key_tokens)]
    for token, row in zip(tokens, np.asarray(levels, dtype=int).tolist(), strict=True):
        lines.append(padded(token, label, width) + "".join(padded(shades[level], cell, width) for level in row))
    return "\n".join(lines)


def floors(shares, shades):
    """The levels of shares of the largest weight, as they should be."""
    return np.floor(np.asarray(shares) * (len(shades) - 1)).astype(int)


def share_of(weights, largest):
    """weights / largest, 0 where the largest is 0."""
    weights = np.asarray(weights, dtype=float)
    return np.divide(weights, largest, out=np.zeros(weights.shape), where=np.broadcast_to(largest, weights.shape) > 0)


@wrong(
    "ascii_heatmap",
    "The darkest shade stands for the largest weight of what: of the row, or of the whole matrix?",
    "最深的字符代表哪里的最大权重：这一行的，还是整个矩阵的？",
)
def largest_of_the_row(weights, tokens, key_tokens=None, shades=FIVE):
    """Each row has its own darkest shade."""
    return drawn(floors(share_of(weights, np.max(weights, axis=1, keepdims=True)), shades), tokens, key_tokens, shades)


@wrong(
    "ascii_heatmap",
    "The darkest shade stands for the largest weight of what: of the column, or of the whole matrix?",
    "最深的字符代表哪里的最大权重：这一列的，还是整个矩阵的？",
)
def largest_of_the_column(weights, tokens, key_tokens=None, shades=FIVE):
    """Each column has its own darkest shade."""
    return drawn(floors(share_of(weights, np.max(weights, axis=0, keepdims=True)), shades), tokens, key_tokens, shades)


@wrong(
    "ascii_heatmap",
    "Which weight gets your darkest shade if the largest one of the matrix is 0.4?",
    "如果矩阵中最大的权重是 0.4，哪个权重会得到最深的字符？",
)
def weight_not_compared_with_the_largest(weights, tokens, key_tokens=None, shades=FIVE):
    """The level of the weight itself."""
    return drawn(floors(weights, shades), tokens, key_tokens, shades)


@wrong(
    "ascii_heatmap",
    "Does a weight just below a step take the lower shade or the upper one?",
    "略低于分界的权重，应取较浅的字符还是较深的字符？",
)
def rounded_to_the_nearest_level(weights, tokens, key_tokens=None, shades=FIVE):
    """round in place of floor."""
    return drawn(np.rint(share_of(weights, np.max(weights)) * (len(shades) - 1)), tokens, key_tokens, shades)


@wrong("ascii_heatmap", "Which shade does a weight get that is small, but not 0?", "一个很小但不为 0 的权重，应得到哪个字符？")
def rounded_up(weights, tokens, key_tokens=None, shades=FIVE):
    """ceil in place of floor."""
    return drawn(np.ceil(share_of(weights, np.max(weights)) * (len(shades) - 1) - 1e-9), tokens, key_tokens, shades)


@wrong("ascii_heatmap", "How many steps lie between the first and the last of k shades?", "k 个字符，从第一个到最后一个之间有几级？")
def as_many_steps_as_shades(weights, tokens, key_tokens=None, shades=FIVE):
    """Multiplies by len(shades), and clips the largest weight."""
    levels = np.floor(share_of(weights, np.max(weights)) * len(shades) + 1e-9)
    return drawn(np.minimum(levels, len(shades) - 1), tokens, key_tokens, shades)


@wrong("ascii_heatmap", "Which weight is level 0: the smallest one of the matrix, or 0?", "级别 0 对应的是矩阵中最小的权重，还是权重 0？")
def stretched_from_the_smallest(weights, tokens, key_tokens=None, shades=FIVE):
    """(w - min) / (max - min)."""
    weights = np.asarray(weights, dtype=float)
    above = weights - weights.min()
    return drawn(floors(share_of(above, above.max()), shades), tokens, key_tokens, shades)


@wrong("ascii_heatmap", "Which end of `shades` stands for no weight at all?", "`shades` 的哪一端表示完全没有权重？")
def dark_for_small_weights(weights, tokens, key_tokens=None, shades=FIVE):
    """The shades in reverse."""
    return right_heatmap(weights, tokens, key_tokens, shades[::-1])


@wrong("ascii_heatmap", "Does your drawing change when other `shades` are passed?", "传入别的 `shades` 时，你画的图会变吗？")
def shades_ignored(weights, tokens, key_tokens=None, shades=FIVE):
    """Always the five shades of the default."""
    return right_heatmap(weights, tokens, key_tokens)


@wrong("ascii_heatmap", "Which tokens stand above the columns: the queries or the keys?", "列的上方应写哪些词元：查询还是键？")
def queries_above_the_columns(weights, tokens, key_tokens=None, shades=FIVE):
    """`key_tokens` is not used: the query tokens head the columns."""
    heads = [tokens[j] if j < len(tokens) else "" for j in range(np.shape(weights)[1])]
    return right_heatmap(weights, tokens, heads, shades)


@wrong("ascii_heatmap", "Is a line of your drawing a query or a key?", "图中的一行代表一个查询还是一个键？")
def keys_as_lines(weights, tokens, key_tokens=None, shades=FIVE):
    """The matrix is drawn transposed."""
    return right_heatmap(np.transpose(weights), tokens if key_tokens is None else key_tokens, tokens, shades)


@wrong(
    "ascii_heatmap", "How many columns of the terminal does 深 take, and what does `len` say?", "“深”在终端里占几列？`len` 给出的又是多少？"
)
def characters_counted(weights, tokens, key_tokens=None, shades=FIVE):
    """Pads by the number of characters."""
    return drawn(floors(share_of(weights, np.max(weights)), shades), tokens, key_tokens, shades, width=len)


@wrong("ascii_heatmap", "How much room does an accent take that is put on the letter before it?", "加在前一个字母上的重音符占几列？")
def accents_counted(weights, tokens, key_tokens=None, shades=FIVE):
    """Combining marks count one."""

    def width(text):
        return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)

    return drawn(floors(share_of(weights, np.max(weights)), shades), tokens, key_tokens, shades, width=width)


@wrong("ascii_heatmap", "Are all characters beyond ASCII wide? Try é and ░.", "ASCII 之外的字符都是宽字符吗？试试 é 和 ░。")
def everything_beyond_ascii_counted_twice(weights, tokens, key_tokens=None, shades=FIVE):
    """Whatever is not ASCII counts two in a token."""

    def width(text):
        return len(text) if text in shades else sum(2 if ord(char) > 127 else 1 for char in text)

    return drawn(floors(share_of(weights, np.max(weights)), shades), tokens, key_tokens, shades, width=width)


@wrong("ascii_heatmap", "Are all cells of your drawing of one width?", "图中所有单元格一样宽吗？")
def columns_as_wide_as_their_token(weights, tokens, key_tokens=None, shades=FIVE):
    """Every column has a width of its own."""
    keys = tokens if key_tokens is None else key_tokens
    label = max(map(right_width, tokens))
    lines = [" " * label + "".join(" " + key for key in keys)]
    for token, row in zip(tokens, floors(share_of(weights, np.max(weights)), shades).tolist(), strict=True):
        cells = (padded(shades[level], 1 + right_width(key), right_width) for level, key in zip(row, keys, strict=True))
        lines.append(padded(token, label, right_width) + "".join(cells))
    return "\n".join(lines)


@wrong("ascii_heatmap", "What do you divide by when all weights are 0?", "当所有权重都是 0 时，你除以的是什么？")
def zeros_divided_by_zero(weights, tokens, key_tokens=None, shades=FIVE):
    """No care is taken of a largest weight of 0."""
    if np.max(weights) == 0:
        raise ValueError("cannot convert float NaN to integer")
    return right_heatmap(weights, tokens, key_tokens, shades)


@wrong("ascii_heatmap", "How dark is a matrix of zeros?", "全零的矩阵应该画得多深？")
def zeros_drawn_dark(weights, tokens, key_tokens=None, shades=FIVE):
    """A matrix of zeros gets the darkest shade."""
    if np.max(weights) == 0:
        return right_heatmap(np.ones(np.shape(weights)), tokens, key_tokens, shades)
    return right_heatmap(weights, tokens, key_tokens, shades)


@wrong("ascii_heatmap", "May a long token lose its end, or must the cells grow?", "较长的词元可以被截断吗，还是应当让单元格变宽？")
def tokens_cut(weights, tokens, key_tokens=None, shades=FIVE):
    """Tokens longer than six characters are cut."""
    keys = tokens if key_tokens is None else key_tokens
    return right_heatmap(weights, [token[:6] for token in tokens], [key[:6] for key in keys], shades)


@wrong(
    "ascii_heatmap",
    "One string, or several? Look at what the docstring says about the result.",
    "返回一个字符串还是多个？看看文档字符串对返回值的说明。",
)
def list_of_lines(weights, tokens, key_tokens=None, shades=FIVE):
    """Returns the lines as a list."""
    return right_heatmap(weights, tokens, key_tokens, shades).split("\n")


@wrong("ascii_heatmap", "Can a caller use what your function prints?", "调用者能用到你的函数打印出来的内容吗？")
def printed_in_place_of_returned(weights, tokens, key_tokens=None, shades=FIVE):
    """Returns None; what it would print is left out, since the diagnosis runs in the grader."""
    right_heatmap(weights, tokens, key_tokens, shades)


@wrong(
    "ascii_heatmap",
    "Does the highest level that you can reach depend on how many shades were passed?",
    "你能达到的最高级别，与传入了多少个字符有关吗？",
)
def four_steps_for_any_shades(weights, tokens, key_tokens=None, shades=FIVE):
    """Multiplies by 4, however many shades there are."""
    levels = np.floor(share_of(weights, np.max(weights)) * 4)
    return drawn(np.minimum(levels, len(shades) - 1), tokens, key_tokens, shades)


@wrong(
    "ascii_heatmap",
    "On which side of a label do the blanks stand?",
    "标签的空格应补在哪一边？",
)
def labels_left_aligned(weights, tokens, key_tokens=None, shades=FIVE):
    """The blanks come after the label."""
    label = max(map(right_width, tokens))
    first, *lines = right_heatmap(weights, tokens, tokens if key_tokens is None else key_tokens, shades).split("\n")
    moved = (token + " " * (label - right_width(token)) for token in tokens)
    return "\n".join(
        [first, *(name + line[label - right_width(token) + len(token) :] for name, token, line in zip(moved, tokens, lines, strict=True))]
    )


@wrong(
    "ascii_heatmap",
    "How many times does a cell show its shade?",
    "一个单元格里，字符应出现几次？",
)
def cells_filled(weights, tokens, key_tokens=None, shades=FIVE):
    """The shade fills the whole cell."""
    keys = tokens if key_tokens is None else key_tokens
    label, cell = max(map(right_width, tokens)), 1 + max(map(right_width, keys))
    levels = floors(share_of(weights, np.max(weights)), shades).tolist()
    lines = [" " * label + "".join(padded(key, cell, right_width) for key in keys)]
    for token, row in zip(tokens, levels, strict=True):
        lines.append(padded(token, label, right_width) + "".join(shades[level] * cell for level in row))
    return "\n".join(lines)
