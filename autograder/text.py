"""Text that came from outside, made safe to show: every report, page, table and CSV cell goes through here.

Whatever could redraw a terminal line, reverse the reading direction or hide is written as a visible escape.
"""

from __future__ import annotations

import unicodedata

LONGEST_MESSAGE = 4000  # characters of one message or note in report.json; a student's exception text can be any length

# Control, format (bidi marks and zero-width characters), lone surrogates, line and paragraph separators.
UNSAFE_CATEGORIES = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
# Format characters that names in Persian and Indic scripts are spelled with; they change no order and hide nothing.
JOINERS = "\u200c\u200d"
SHORT_ESCAPES = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}
# A spreadsheet takes a cell that starts so for a formula; the wide forms count in East Asian locales.
FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")


def visible(text: str, *, lines: bool = False) -> str:
    r"""`text` with every control, bidi and invisible character as an escape: `\x1b`, `\u202e`.

    lines: line breaks and tabs stay; elsewhere they are escaped too. Doing it twice changes nothing.
    A backslash stays as it is, so the escape is for readers and cannot be undone with certainty.
    """
    if text.isprintable():
        return text
    if lines:
        text = text.replace("\r\n", "\n")
    kept = JOINERS + "\n\t" if lines else JOINERS
    return "".join(c if c in kept or unicodedata.category(c) not in UNSAFE_CATEGORIES else _escape(c) for c in text)


def _escape(character: str) -> str:
    code = ord(character)
    if character in SHORT_ESCAPES:
        return SHORT_ESCAPES[character]
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def cut(text: str, longest: int = LONGEST_MESSAGE) -> str:
    """`text`, shortened to `longest` characters with an ellipsis at its end where it is longer."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def csv_cell(text: str) -> str:
    """`text` for a cell of a spreadsheet: escaped, and with an apostrophe in front where it would be a formula."""
    shown = visible(text)
    return f"'{shown}" if shown.lstrip().startswith(FORMULA_STARTS) else shown


def points(value: float) -> str:
    """Points as people write them: 6, 2.5, 0.33."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
