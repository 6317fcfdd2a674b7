"""The lines of a solution region, in a form in which copies can be found again. The content check and the leak check use it."""

from __future__ import annotations

import re

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"

SHORTEST_TELLING_LINE = 10

_COMMENT = re.compile(r"\s+#\s.*$")
_PROMPT = re.compile(r"^(>>>|\.\.\.)\s")
# `return softmax(x, axis)` is somebody's solution, `softmax(x, axis)` is how anybody calls it.
_RETURN = re.compile(r"^return\b(?!\s*[\w.]+\([\w,\s]*\)$)")
# A line tells something where an operator, a call or an index has an operand after it: `return output` and `else:` do not.
_TELLING = re.compile(r"[(\[@*/+\-<>~|&%].*\w")


def normalised(line: str) -> str:
    """A line of code without blanks, trailing comment, doctest prompt and `return`, so that none of them hides a copy."""
    line = _PROMPT.sub("", line.strip()).strip()
    if line.startswith("#"):
        return ""
    return "".join(_RETURN.sub("", _COMMENT.sub("", line)).split())


def telling(line: str) -> bool:
    """Whether a normalised line gives something of a solution away."""
    return len(line) >= SHORTEST_TELLING_LINE and bool(_TELLING.search(line))


def solution_lines(code: str) -> dict[str, int]:
    """Every telling line of the solution regions of a module, normalised -> its line number.

    What stands outside the regions as well is no secret: a stub shows it.
    """
    inside: dict[str, int] = {}
    outside: set[str] = set()
    in_region = False
    for number, line in enumerate(code.splitlines(), start=1):
        if BEGIN in line or END in line:
            in_region = BEGIN in line
        elif in_region:
            inside.setdefault(normalised(line), number)
        else:
            outside.add(normalised(line))
    return {line: number for line, number in inside.items() if telling(line) and line not in outside}
