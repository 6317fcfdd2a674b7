"""Code as tokens in which cheap disguises make no difference: other names, literals, comments, another layout. fingerprints.py uses it.

By text alone, with one regular expression that takes any text in linear time: broken code has tokens like any other, every
version of Python finds the same ones, and no parser reads a stranger's text outside the jail.
"""

from __future__ import annotations

import builtins
import keyword
import re

import numpy as np

NAME, NUMBER, STRING = "name", "0", "''"
_DROPPED = frozenset(("", "(", ")"))  # Python lets one put parentheses around almost anything

# Words that a student cannot rename. Names of NumPy's count after a dot only, where no local variable can stand.
_FIXED = frozenset((*keyword.kwlist, *(name for name in dir(builtins) if not name.startswith("_"))))
_ATTRIBUTES = frozenset(
    name for owner in (np, np.ndarray, np.linalg, np.random, np.random.Generator, str, list, dict) for name in dir(owner) if name[0] != "_"
)

# Possessive throughout, and every alternative that begins also ends: no text makes it go back.
_TOKEN = re.compile(
    r"""
    (?P<skipped> [ \t\f]++ | \#[^\n]*+ | \\\n )
  | (?P<line> [\n;]++ )
  | (?P<string> [rRbBuUfFtT]{0,2}+ (?:
        \"\"\" (?: [^"\\] | \\.?+ | "(?!"") )*+ (?: \"\"\" )?+
      | ''' (?: [^'\\] | \\.?+ | '(?!'') )*+ (?: ''' )?+
      | " (?: [^"\\\n] | \\.?+ )*+ "?+
      | ' (?: [^'\\\n] | \\.?+ )*+ '?+ ) )
  | (?P<number> \.?+ \d (?: [eE][+-] | [\w.] )*+ )
  | (?P<name> \w++ )
  | (?P<sign> -> | (?: \*\* | // | << | >> | [-+*/%@&|^:<>=!] ) = | \*\* | // | << | >> | . )
    """,
    re.VERBOSE | re.DOTALL,
)


def normalised(text: str) -> list[str]:
    """The tokens of a text: signs and fixed words as they are, other names, numbers and strings each as one and the same.

    Without comments, docstrings, indentation, line breaks, semicolons, parentheses, and commas that only a formatter would miss.
    """
    tokens: list[str] = []
    depth, at_start = 0, True  # of brackets; of a statement
    for found in _TOKEN.finditer(text.replace("\r\n", "\n").replace("\r", "\n")):
        kind = found.lastgroup
        if kind == "skipped":
            continue
        if kind == "line":
            at_start = at_start or depth <= 0
            continue
        token = found[0]
        if kind == "string":
            token = "" if at_start else STRING
        elif kind == "number":
            token = NUMBER
        elif kind == "name":
            fixed = _ATTRIBUTES if tokens and tokens[-1] == "." else _FIXED
            token = token if token in fixed else NAME
        elif token in "([{":
            depth += 1
        elif token in ")]}":
            depth -= 1
            if tokens and tokens[-1] == ",":
                tokens.pop()
        if token not in _DROPPED and not (token == STRING and tokens and tokens[-1] == STRING):
            tokens.append(token)
        at_start = False
    return tokens
