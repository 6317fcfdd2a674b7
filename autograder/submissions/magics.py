"""Takes out of a cell what IPython runs and Python does not, so that the rest is plain Python with the same line numbers.

These are magics, shell escapes, help requests, and `await` outside of a function.

By text alone: a student's cell may not parse, and no parser reads a stranger's text outside the jail. Whether a line begins a
statement is told by following strings, brackets and continued lines.
"""

from __future__ import annotations

import re

# Cell magics that run the cell's own Python code, timed or with its output caught: the rest of the cell counts.
_TRANSPARENT = frozenset(("time", "timeit", "capture", "prun", "memit", "mprun", "debug"))

_CELL_MAGIC = re.compile(r"%%(\S*)")
_ASSIGNED = re.compile(r"=\s*(?:!(?!=)|%{1,2}[A-Za-z_])")
_INSTALLER = re.compile(r"^[ \t]*(?:pip3?|conda|mamba)\s+(?:install|uninstall|list|show|freeze)\b", re.MULTILINE)
_SUSPICIOUS = re.compile(r"[%!?]|\bawait\b")
_AWAIT = re.compile(r"(?:(?P<target>\w[\w, \t]*)=[ \t]*)?await\b")
_OPENING = re.compile(r"'''|\"\"\"|['\"#]|[()\[\]{}]+")
_BRACKETS = frozenset("()[]{}")
_CLOSING = {quote: re.compile(rf"\\.|{quote}|\\$", re.DOTALL) for quote in ("'''", '"""', "'", '"')}


def without_magics(source: str) -> tuple[str, int]:
    """The cell's Python with each magic, shell escape, help request and top-level `await` made `pass`; and how many there were.

    `x = !ls`, `x = %time f()` and `x = await f()` become `x = None`. `%%time` and its like go and the code below stays; a cell of any
    other cell magic is left empty. The number of lines never changes.
    """
    if not needs_a_look(source):
        return source, 0
    lines = _dedented(source.split("\n"))
    first = _first_of(lines, 0)
    count = 0
    while first < len(lines) and (magic := _CELL_MAGIC.match(lines[first])):
        count += 1
        if magic[1] not in _TRANSPARENT:
            return "\n" * (len(lines) - 1), count
        lines[first] = ""
        first = _first_of(lines, first)
    return _disarmed(lines, count)


def needs_a_look(source: str) -> bool:
    """Whether a cell may hold anything that is not Python; where not, `without_magics` costs nothing."""
    return bool(source[:1].isspace() or _SUSPICIOUS.search(source) or _INSTALLER.search(source))


def _first_of(lines: list[str], start: int) -> int:
    return next((i for i in range(start, len(lines)) if lines[i].strip()), len(lines))


def _dedented(lines: list[str]) -> list[str]:
    """As IPython does, the indentation of the first line is taken off all lines that have it."""
    first = _first_of(lines, 0)
    indent = lines[first][: len(lines[first]) - len(lines[first].lstrip())] if first < len(lines) else ""
    return [line.removeprefix(indent) for line in lines] if indent else lines


def _disarmed(lines: list[str], count: int) -> tuple[str, int]:
    state = _State()
    i = 0
    while i < len(lines):
        line = lines[i]
        if not state.at_start:
            state.read(line)
            i += 1
            continue
        awaited = _AWAIT.match(line)  # where it is indented, it may stand in a function
        if awaited is not None:
            state.read(line)
            target = (awaited["target"] or "").strip()
            lines[i] = f"{target} = None" if target.isidentifier() else "pass"
            count, i = count + 1, i + 1
            while i < len(lines) and not state.at_start:
                state.read(lines[i])
                lines[i] = ""
                i += 1
            continue
        replacement = _replacement(line)
        if replacement is None:
            asks = state.read(line)
            if asks and state.at_start:
                lines[i] = f"{_indent(line)}pass"
                count += 1
            i += 1
            continue
        lines[i] = replacement
        count += 1
        while line.endswith("\\") and i + 1 < len(lines):  # a long command goes on below
            i += 1
            line = lines[i]
            lines[i] = ""
        i += 1
    return "\n".join(lines), count


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _replacement(line: str) -> str | None:
    """What takes the place of a line that begins a statement; None where it is Python."""
    if line.lstrip().startswith(("%", "!", "?")) or _INSTALLER.match(line):
        return f"{_indent(line)}pass"
    assigned = _ASSIGNED.search(line)
    if assigned is None:
        return None
    target, state = line[: assigned.start()].rstrip(), _State()
    state.read(target)
    is_target = state.at_start and not state.comment and (target[-1:].isalnum() or target.endswith(("_", "]", ")")))
    return f"{target} = None" if is_target else None


class _State:
    """Where in Python's text a line ends: within a string, within brackets, or continued by a backslash."""

    def __init__(self) -> None:
        self.quote = ""
        self.depth = 0
        self.continued = False
        self.comment = False  # the last line read has one

    @property
    def at_start(self) -> bool:
        """Whether the next line begins a statement."""
        return not self.quote and self.depth == 0 and not self.continued

    def read(self, line: str) -> bool:
        """Go through one line. True where its code ends with a question mark: a request for help."""
        self.continued = self.comment = False
        at, end_of_code = 0, len(line)
        while at < len(line):
            if self.quote:
                found = _CLOSING[self.quote].search(line, at)
                if found is None:
                    break
                if found[0] == self.quote:
                    self.quote = ""
                at = found.end()
                if found[0] == "\\":
                    return False  # a string goes on below
                continue
            found = _OPENING.search(line, at)
            if found is None:
                break
            at = found.end()
            if found[0] == "#":
                end_of_code, self.comment = found.start(), True
                break
            if found[0][0] in _BRACKETS:
                for bracket in found[0]:
                    self.depth = self.depth + 1 if bracket in "([{" else max(0, self.depth - 1)
            else:
                self.quote = found[0]
        if len(self.quote) == 1:
            self.quote = ""  # a mistake: such a string ends with its line
            return False
        code = line[:end_of_code].rstrip()
        self.continued = not self.quote and end_of_code == len(line) and line.endswith("\\")
        return not self.quote and self.depth == 0 and code.endswith("?")
