"""Reads a notebook into code cells: any nbformat from 3 on, whatever became of its metadata. Outputs and prose are ignored.

Called by layout, which decides whether the notebook is what counts. Raises Unreadable for what is no notebook.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from autograder.course import COURSE, Exercise
from autograder.language import say
from autograder.limits import DEFAULT, MIB, Limits
from autograder.submissions.magics import needs_a_look, without_magics
from autograder.submissions.model import Cell, Unreadable
from autograder.submissions.tree import shorten

# Values, keys and containers in one notebook. Python needs some 70 bytes for the smallest, so that this stays below 300 MB.
MOST_VALUES = 4_000_000
MOST_CELLS = 5_000
LONGEST_ID = 200

_EXERCISES = {exercise.id: exercise for exercise in COURSE}
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
_STUB = re.compile(r"^[ \t]*raise[ \t]+NotImplementedError\b", re.MULTILINE)
# What "Save as Python" of Jupyter writes between cells, and what editors' notebook-like scripts do.
_EXPORTED = re.compile(r"^# In\[[ \d]*\]:.*\n?", re.MULTILINE)
_PERCENT = re.compile(r"^# %%.*\n?", re.MULTILINE)
_OWNERS = {entry.name: exercise.id for exercise in COURSE for entry in exercise.entry_points}
_NAMES = "|".join(map(re.escape, _OWNERS))
_DEFINITION = re.compile(
    rf"^(?:(?:async[ \t]+)?def|class)[ \t]+({_NAMES})\b|^({_NAMES})[ \t]*(?::[^=\n]*)?=",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Notebook:
    """A notebook's code cells, magics taken out, with what was odd about it."""

    cells: tuple[Cell, ...]
    notes: tuple[str, ...] = ()

    @property
    def known(self) -> int:
        """How many exercises it has cells for, by grade_id or by what cells define."""
        return len(({cell.grade_id for cell in self.cells} & set(_EXERCISES)).union(*(defined_in(cell.source) for cell in self.cells)))

    @property
    def written(self) -> int:
        """How many exercises have a cell that defines an entry point and is no stub any more."""
        done = (cell.source for cell in self.cells if not _STUB.search(cell.source, 0, DEFAULT.longest_source))
        return len(frozenset[str]().union(*map(defined_in, done)))


def defines(source: str, exercise: Exercise) -> bool:
    """Whether a text defines an entry point of this exercise, as far as text alone can tell."""
    return exercise.id in defined_in(source)


def defined_in(source: str) -> frozenset[str]:
    """The exercises of which a text defines an entry point, as far as text, or the beginning of a very long one, can tell."""
    return _defined_in(source[: DEFAULT.longest_source])


@lru_cache(maxsize=16)  # one cell is asked about each exercise
def _defined_in(source: str) -> frozenset[str]:
    return frozenset(_OWNERS[found[1] or found[2]] for found in _DEFINITION.finditer(source))


def defines_anything(source: str) -> bool:
    """Whether a text defines an entry point of any exercise."""
    return bool(defined_in(source))


def read_notebook(data: bytes, limits: Limits) -> Notebook:
    """The code cells of an .ipynb file. Raises Unreadable."""
    notes: list[str] = []
    document = _parse(data, limits, notes)
    _note_language(document, notes)
    cells: list[Cell] = []
    magics = looked_through = 0
    for raw in _raw_cells(document, notes):
        cell = _cell(raw, notes)
        if cell is None:
            continue
        if needs_a_look(cell.source):
            looked_through += len(cell.source)
            if looked_through <= limits.longest_source:
                source, count = without_magics(cell.source)
                cell, magics = replace(cell, source=source), magics + count
        cells.append(cell)
    if magics:
        notes.append(
            say(
                f"{magics} magics, shell commands or top-level awaits in the notebook were not run.",
                f"笔记本里有 {magics} 处魔法命令、shell 命令或顶层 await 没有执行。",
            )
        )
    if not cells:
        notes.append(say("The notebook has no code cell.", "笔记本里没有代码单元格。"))
    return Notebook(_with_unique_ids(cells, notes), tuple(dict.fromkeys(notes)))


def raw_cells(data: bytes, limits: Limits) -> list[dict[str, Any]]:
    """The cells of an .ipynb file as they stand in it, prose and outputs included. Raises Unreadable.

    Nothing in a cell has been checked. Its code cells are those of `read_notebook`, in the same order.
    """
    return _raw_cells(_parse(data, limits, []), [])


def source_of(raw: dict[str, Any]) -> str:
    """The text of a raw cell; empty where it has none."""
    return _source(raw.get("source", raw.get("input"))) or ""


def from_script(source: str) -> Notebook:
    """The cells of a notebook that was saved as a Python script; one cell where nothing marks their borders."""
    marker = _EXPORTED if _EXPORTED.search(source) else _PERCENT
    sources = [part.strip("\n") for part in marker.split(source.replace("\r\n", "\n")) if part.strip()]
    return Notebook(tuple(Cell(without_magics(part)[0]) for part in sources))


def is_exported(source: str) -> bool:
    """Whether a Python script is a notebook that Jupyter saved as one."""
    return _EXPORTED.search(source) is not None


def _parse(data: bytes, limits: Limits, notes: list[str]) -> dict[str, Any]:
    if len(data) > limits.notebook_bytes:
        most = limits.notebook_bytes // MIB
        raise Unreadable(
            say(
                f"The notebook is larger than {most} MiB: have its outputs cleared and handed in again.",
                f"笔记本超过 {most} MiB：请让学生清除输出后重新提交。",
            )
        )
    text = _decoded(data, notes)
    if not text.strip("\0 \t\r\n"):
        raise Unreadable(
            say("The notebook is empty: the upload failed, ask for it again.", "笔记本是空文件：上传没有成功，请让学生重新提交。")
        )
    if text.lstrip().startswith("<"):
        raise Unreadable(
            say(
                "This is a web page (a login page, perhaps) saved under the name of a notebook: download it again, or ask for the file.",
                "这是一个以笔记本名字保存的网页（可能是登录页）：请重新下载，或让学生提交文件本身。",
            )
        )
    if data.startswith(b"PK"):
        raise Unreadable(
            say("This is a zip under the name of a notebook: rename it to .zip.", "这是一个以笔记本名字保存的 zip：请把后缀改为 .zip。")
        )
    _require_moderate(text)
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise Unreadable(_broken(text, error)) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise Unreadable(
            say(
                f"The notebook is no ordinary JSON ({type(error).__name__}): have it opened and saved again in Jupyter.",
                f"笔记本不是正常的 JSON（{type(error).__name__}）：请让学生在 Jupyter 中打开并重新保存。",
            )
        ) from None
    if not isinstance(document, dict):
        raise Unreadable(_no_notebook())
    return document


def _decoded(data: bytes, notes: list[str]) -> str:
    encoding = json.detect_encoding(data)
    text = data.decode(encoding, "replace").removeprefix("\ufeff")
    if "\ufffd" in text and "\ufffd".encode() not in data:
        notes.append(
            say("Some characters of the notebook are not UTF-8; they were replaced.", "笔记本里有些字符不是 UTF-8 编码，已被替换。")
        )
    return text


def _require_moderate(text: str) -> None:
    """Refuse JSON that would fill the memory: millions of tiny values. Counted outside of strings, before anything is built."""
    if sum(map(text.count, ",[{")) <= MOST_VALUES:
        return
    skeleton = _STRING.sub("", text)
    if sum(map(skeleton.count, ",[{")) > MOST_VALUES:
        raise Unreadable(
            say(
                "The notebook holds millions of values in its outputs: have its outputs cleared and handed in again.",
                "笔记本的输出里有数百万个数值：请让学生清除输出后重新提交。",
            )
        )


def _broken(text: str, error: json.JSONDecodeError) -> str:
    if not text[error.pos :].strip() or error.msg.startswith("Unterminated string"):
        return say(
            "The notebook is cut short: the download or upload broke off, get it again.",
            "笔记本不完整：下载或上传中断了，请重新获取。",
        )
    return say(
        f"The notebook is damaged (no JSON from line {error.lineno} on): have it saved again in Jupyter, or ask for another copy.",
        f"笔记本已损坏（从第 {error.lineno} 行起不是 JSON）：请让学生在 Jupyter 中重新保存，或另交一份。",
    )


def _no_notebook() -> str:
    return say(
        "The file is JSON but no notebook: ask for the .ipynb file itself.",
        "文件是 JSON，但不是笔记本：请让学生提交 .ipynb 文件本身。",
    )


def _raw_cells(document: dict[str, Any], notes: list[str]) -> list[dict[str, Any]]:
    """The cells of nbformat 3 (in worksheets) and 4."""
    version = document.get("nbformat")
    if isinstance(version, int) and version < 3:
        raise Unreadable(
            say(
                f"The notebook is in a format of long ago (nbformat {version}): have it opened and saved in Jupyter.",
                f"笔记本是很早以前的格式（nbformat {version}）：请让学生在 Jupyter 中打开并重新保存。",
            )
        )
    cells = document.get("cells")
    if cells is None and isinstance(document.get("worksheets"), list):
        sheets = [sheet.get("cells") for sheet in document["worksheets"] if isinstance(sheet, dict)]
        cells = [cell for sheet in sheets if isinstance(sheet, list) for cell in sheet]
    if not isinstance(cells, list):
        raise Unreadable(_no_notebook())
    if len(cells) > MOST_CELLS:
        raise Unreadable(
            say(
                f"The notebook has more than {MOST_CELLS} cells: ask for one without the others.",
                f"笔记本有超过 {MOST_CELLS} 个单元格：请让学生删去多余的单元格后重新提交。",
            )
        )
    found = [cell for cell in cells if isinstance(cell, dict)]
    if len(found) < len(cells):
        notes.append(say("Some cells of the notebook are no cells and were left out.", "笔记本里有些单元格格式不对，已被忽略。"))
    return found


def _note_language(document: dict[str, Any], notes: list[str]) -> None:
    """Say so where the notebook was run by a kernel of another language."""
    metadata = document.get("metadata")
    for part in ("kernelspec", "language_info"):
        facts = metadata.get(part) if isinstance(metadata, dict) else None
        language = facts.get("language" if part == "kernelspec" else "name") if isinstance(facts, dict) else None
        if isinstance(language, str) and language and "python" not in language[:LONGEST_ID].casefold():
            name = shorten(language, 30)
            notes.append(
                say(
                    f"The notebook's kernel is one for {name}; its cells were run as Python.",
                    f"笔记本的内核是 {name} 的；单元格按 Python 运行。",
                )
            )
            return


def _cell(raw: dict[str, Any], notes: list[str]) -> Cell | None:
    """One code cell as it was typed; None for prose."""
    metadata = raw.get("metadata")
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    nbgrader = nbgrader if isinstance(nbgrader, dict) else {}
    grade_id = nbgrader.get("grade_id")
    grade_id = grade_id if isinstance(grade_id, str) and len(grade_id) <= LONGEST_ID else ""
    source = _source(raw.get("source", raw.get("input")))
    if raw.get("cell_type") != "code":
        exercise = _EXERCISES.get(grade_id)
        if exercise is not None:
            notes.append(
                say(
                    f"The solution cell of {grade_id} is no code cell any more, so that its code was not run.",
                    f"{grade_id} 的解答单元格不再是代码单元格，其中的代码没有运行。",
                )
            )
        return None
    if source is None:
        notes.append(say("A cell of the notebook has no text and was taken as empty.", "笔记本里有单元格没有文本，按空单元格处理。"))
    return Cell(source or "", _text(grade_id), _is_locked(nbgrader))


def _source(value: Any) -> str | None:
    if isinstance(value, list):
        value = "".join(line for line in value if isinstance(line, str))
    return _text(value).replace("\r\n", "\n").replace("\r", "\n") if isinstance(value, str) else None


def _text(value: str) -> str:
    """The text without lone surrogates, which JSON can write and UTF-8 cannot."""
    return value.encode("utf-8", "replace").decode("utf-8")


def _is_locked(nbgrader: dict[str, Any]) -> bool:
    """nbgrader's flag; its first schemas had none, and locked what is graded and no solution."""
    locked = nbgrader.get("locked")
    if locked is None:
        return nbgrader.get("grade") is True and nbgrader.get("solution") is not True
    return locked is True


def _with_unique_ids(cells: list[Cell], notes: list[str]) -> tuple[Cell, ...]:
    """The same cells, each grade_id on one of them only: JupyterLab keeps it on a copied cell.

    A solution cell's id stays on the cell that defines an entry point and has the fewest stubs left, of equals on the
    last one; any other id stays on its first cell.
    """
    by_id: dict[str, list[int]] = {}
    for i, cell in enumerate(cells):
        if cell.grade_id:
            by_id.setdefault(cell.grade_id, []).append(i)
    for grade_id, places in by_id.items():
        if len(places) == 1:
            continue
        exercise = _EXERCISES.get(grade_id)
        keeper = places[0] if exercise is None else max(places, key=lambda i: _worth(cells[i], exercise, i))
        for i in places:
            if i != keeper:
                cells[i] = replace(cells[i], grade_id="")
        if exercise is not None:
            n = len(places)
            notes.append(
                say(
                    f"{n} cells are marked as the solution of {grade_id}; the one with the most written in it, else the last, was taken.",
                    f"有 {n} 个单元格都标为 {grade_id} 的解答；采用了写得最完整的一个，相同时取最后一个。",
                )
            )
        elif not grade_id.startswith(("check-", "grade-")):
            name = shorten(grade_id)
            notes.append(
                say(f"Several cells have the grade_id {name}; the first kept it.", f"多个单元格的 grade_id 都是 {name}；由第一个保留。")
            )
    return tuple(cells)


def _worth(cell: Cell, exercise: Exercise, place: int) -> tuple[bool, int, int]:
    stubs = len(_STUB.findall(cell.source))
    # Among equal stubs the first one stays: a copy of an untouched cell is worth no more than the cell.
    return defines(cell.source, exercise), -stubs, -place if stubs else place
