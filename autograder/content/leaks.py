"""Looks through what students would get for anything that they must not have. The release refuses to go out with a find."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat

from autograder.content.layout import Layout
from autograder.content.notebooks import grade_id_of
from autograder.content.regions import normalised, solution_lines, telling
from autograder.course import SEED

RUN_OF_HIDDEN_LINES = 3
SHORTEST_TELLING_PROSE = 25  # characters of a line without its blanks; in Chinese that is a sentence
TEXT_SUFFIXES = {".py", ".md", ".txt", ".ini", ".toml", ".ipynb", ".cfg", ".json", ".csv"}
DATA_SUFFIXES = {".npz", ".npy"}

_KIT_IMPORT = re.compile(r"(^|[\s;(])(from|import)\s+(solutions|autograder)\b|[\"'](solutions|autograder)\.\w")
_HIDDEN_PART = re.compile(r"(BEGIN|END) (HIDDEN TESTS|SOLUTION|MARK SCHEME)")
_GRADER_WORDS = re.compile(r"\breference\.\w+\(|\bcourse_seed\b|@graded\(")


@dataclass(frozen=True)
class Leak:
    """One thing in a release that must not be there."""

    file: str
    line: int  # of the file; in a notebook, of the cell
    what: str
    cell: str = ""  # in a notebook: the cell's grade_id or its number

    def __str__(self) -> str:
        where = f"cell {self.cell}, line {self.line}" if self.cell else f"line {self.line}"
        return f"{self.file}, {where}: {self.what}"


@dataclass(frozen=True)
class Secrets:
    """What must not be found, each with where it is from: lines of solutions and model answers, what belongs to hidden tests, the seed."""

    solution_lines: dict[str, str]
    hidden_runs: dict[tuple[str, ...], str]
    hidden_data: dict[bytes, str]
    seed: re.Pattern[str] | None = None

    @classmethod
    def of(cls, layout: Layout) -> Secrets:
        lines: dict[str, str] = {}
        for path in sorted(layout.solutions.glob("*.py")):
            for line, number in solution_lines(path.read_text(encoding="utf-8")).items():
                lines[line] = f"{layout.name(path)}:{number}"
        for path in sorted(layout.solutions.glob("*.md")):
            for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
                if len(normalised(text)) >= SHORTEST_TELLING_PROSE:
                    lines[normalised(text)] = f"{layout.name(path)}:{number}"
        runs: dict[tuple[str, ...], str] = {}
        for path in sorted(layout.hidden_tests.glob("*.py")):
            code = _code_lines(path.read_text(encoding="utf-8"))
            for number, run in _runs(code):
                runs[run] = f"{layout.name(path)}:{number}"
        data = {path.read_bytes(): layout.name(path) for path in layout.hidden_tests.rglob("*") if path.suffix in DATA_SUFFIXES}
        return cls(lines, runs, data, None if SEED is None else re.compile(rf"(?<!\d){SEED}(?!\d)"))


def find_leaks(folder: Path, layout: Layout) -> list[Leak]:
    """Everything below `folder` that a student must not have: file by file, in a stable order."""
    secrets = Secrets.of(layout)
    leaks: list[Leak] = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            leaks.append(Leak(name, 0, "a link, which may lead anywhere"))
        elif path.is_dir():
            continue
        elif path.suffix in DATA_SUFFIXES:
            if path.read_bytes() in secrets.hidden_data:
                leaks.append(Leak(name, 0, f"the data of a hidden test, {secrets.hidden_data[path.read_bytes()]}"))
        elif path.suffix not in TEXT_SUFFIXES:
            leaks.append(Leak(name, 0, "a kind of file that no release needs"))
        elif path.suffix == ".ipynb":
            leaks += _notebook_leaks(name, path.read_text(encoding="utf-8"), secrets)
        else:
            leaks += _text_leaks(name, path.read_text(encoding="utf-8"), secrets)
    return leaks


def _notebook_leaks(name: str, text: str, secrets: Secrets) -> list[Leak]:
    leaks: list[Leak] = []
    nb = nbformat.reads(text, as_version=4)
    for i, cell in enumerate(nb.cells, start=1):
        label = grade_id_of(cell) or str(i)
        leaks += _text_leaks(name, cell.source, secrets, cell=label)
        if cell.get("outputs"):
            leaks.append(Leak(name, 1, "an output, which may show what a solution gives", cell=label))
        if cell.get("attachments"):
            leaks.append(Leak(name, 1, "an attachment, which nobody has read", cell=label))
        # What is neither source nor output: metadata, where an editor or a plugin may have kept an earlier text.
        leaks += _text_leaks(name, "\n".join(_strings(cell.metadata)), secrets, cell=f"{label} (metadata)")
    return leaks + _text_leaks(name, "\n".join(_strings(nb.metadata)), secrets, cell="(metadata)")


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


def _text_leaks(name: str, text: str, secrets: Secrets, cell: str = "") -> list[Leak]:
    leaks = []
    for number, line in enumerate(text.splitlines(), start=1):
        whats = []
        plain = normalised(line)
        found = next((where for secret, where in secrets.solution_lines.items() if secret in plain), None)
        if found:
            whats.append(f"a line of the solution {found}")
        if _HIDDEN_PART.search(line):
            whats.append("a marker of what is to be cut")
        if _KIT_IMPORT.search(line):
            whats.append("an import from the grader's side")
        if _GRADER_WORDS.search(line):
            whats.append("text of a hidden test")
        if secrets.seed is not None and secrets.seed.search(line):
            whats.append("the seed of the hidden inputs")
        leaks += [Leak(name, number, what, cell) for what in whats]
    for number, run in _runs(_code_lines(text)):
        if run in secrets.hidden_runs:
            leaks.append(Leak(name, number, f"text of the hidden test {secrets.hidden_runs[run]}", cell))
    return leaks


def _code_lines(text: str) -> list[tuple[int, str]]:
    """Numbered, normalised lines without those that many tests share: imports, and what tells nothing by itself."""
    lines = ((number, normalised(line)) for number, line in enumerate(text.splitlines(), start=1))
    return [(number, line) for number, line in lines if telling(line) and not re.match(r"(from\w[\w.]*import|import\w)", line)]


def _runs(lines: list[tuple[int, str]]) -> Iterator[tuple[int, tuple[str, ...]]]:
    for i in range(len(lines) - RUN_OF_HIDDEN_LINES + 1):
        part = lines[i : i + RUN_OF_HIDDEN_LINES]
        yield part[0][0], tuple(line for _, line in part)
