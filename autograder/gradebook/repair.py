"""Rebuilds a student's notebook for nbgrader: their cells, in their order, with the metadata of the release and outputs that are safe.

Nothing of the student's metadata is kept. Cells of the release that are missing are put back. The exporter calls `rebuild`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.content.deliverable import GRADE_ID, HAND_IN, TEXT_STUB
from autograder.gradebook.expected import Expected, KnownCell
from autograder.gradebook.handed_in import HandedIn
from autograder.gradebook.matching import Matched, Seen, match, same_text
from autograder.gradebook.outputs import Allowance, safe_outputs, safe_pictures
from autograder.gradebook.prose import as_text, preformatted, safe_prose
from autograder.language import Text, say
from autograder.limits import Limits
from autograder.submissions.notebooks import source_of
from autograder.text import visible

NOTED = "autograder-notes"  # the id of the cell that holds the notes
METADATA = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}, "language_info": {"name": "python"}}
TITLE = Text("**What the grader noticed**", "**评分程序注意到**")


@dataclass
class Rebuilt:
    """The notebook as nbgrader gets it, and what is to be told about it."""

    notebook: NotebookNode
    notes: tuple[str, ...]


@dataclass
class _Cell:
    """A cell on its way into the new notebook."""

    kind: str
    source: str
    known: KnownCell | None = None
    outputs: list[NotebookNode] = field(default_factory=list)
    attachments: dict[str, dict[str, str]] = field(default_factory=dict)


def rebuild(handed_in: HandedIn, expected: Expected, limits: Limits) -> Rebuilt:
    """The notebook to grade and to show."""
    seen = _seen(handed_in)
    matched = match(seen, expected)
    notes = [*handed_in.notes, *matched.notes]
    cells = _cells(handed_in, seen, matched, expected, limits, notes)
    _put_back(cells, expected, notes)
    _take_the_file(cells, handed_in.files, expected, limits, notes)
    new = new_notebook(metadata=METADATA)
    if notes:
        listed = "\n".join(f"- {as_text(visible(note))}" for note in notes)
        new.cells.append(new_markdown_cell(f"{TITLE}\n\n{listed}", id=NOTED))
    new.cells += [_node(cell, number) for number, cell in enumerate(cells)]
    return Rebuilt(new, tuple(notes))


def _seen(handed_in: HandedIn) -> list[Seen]:
    """The cells, each with its kind, text and grade_id; of code cells the ids that the grader saw."""
    ids = iter(handed_in.code_ids)
    return [
        Seen(
            kind=kind if (kind := raw.get("cell_type")) in ("code", "markdown") else "raw",
            source=source_of(raw),
            grade_id=next(ids, "") if kind == "code" else _grade_id(raw),
        )
        for raw in handed_in.cells
    ]


def _grade_id(raw: dict[str, Any]) -> str:
    metadata = raw.get("metadata")
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    grade_id = nbgrader.get("grade_id") if isinstance(nbgrader, dict) else None
    return grade_id if isinstance(grade_id, str) else ""


def _cells(
    handed_in: HandedIn, seen: Sequence[Seen], matched: Matched, expected: Expected, limits: Limits, notes: list[str]
) -> list[_Cell]:
    allowance = Allowance.of(limits)
    cells, changed = [], []
    for raw, cell, id in zip(handed_in.cells, seen, matched.ids, strict=True):
        known = expected.cells.get(id)
        shown = allowance.of_source(cell.source)
        if known is not None and known.locked:
            if not same_text(cell.source, known.released):
                changed.append(id)
            cells.append(_Cell(known.kind, known.source, known))
        elif known is not None and known.kind == "code":
            outputs = [] if known.grade else safe_outputs(raw.get("outputs"), allowance)
            cells.append(_Cell("code", shown, known, outputs))
        elif cell.kind == "code" and known is None:
            cells.append(_Cell("code", shown, outputs=safe_outputs(raw.get("outputs"), allowance)))
        elif cell.kind == "raw":
            cells.append(_Cell("markdown", preformatted(shown), known))
        else:
            attachments = _attachments(raw, allowance)
            cells.append(_Cell("markdown", _prose(shown, attachments, limits, allowance), known, attachments=attachments))
    if changed:
        listed = ", ".join(changed)
        notes.append(say(f"Locked cells had been changed and were restored: {listed}.", f"锁定的单元格被改动过，已恢复：{listed}。"))
    return cells


def _prose(source: str, attachments: dict[str, dict[str, str]], limits: Limits, allowance: Allowance) -> str:
    """Markdown that is safe to render; a text that is longer than anybody's prose is shown as it is."""
    allowance.rendered -= len(source)
    if len(source) > limits.rendered_cell or allowance.rendered < 0:
        return preformatted(source)
    return safe_prose(source, attachments)


def _attachments(raw: dict[str, Any], allowance: Allowance) -> dict[str, dict[str, str]]:
    """Pictures pasted into a text."""
    held = raw.get("attachments")
    bundles = held.items() if isinstance(held, dict) else ()
    pictures = {name: safe_pictures(data, allowance) for name, data in bundles if name.isprintable() and isinstance(data, dict)}
    return {name: data for name, data in pictures.items() if data}


def _put_back(cells: list[_Cell], expected: Expected, notes: list[str]) -> None:
    """Insert what is missing and carries points or is locked, each behind the nearest cell that comes before it in the course."""
    order = expected.order
    present = {cell.known.id for cell in cells if cell.known is not None}
    missing = [id for id in order if id not in present and expected.cells[id].to_be_there]
    for id in missing:
        known, source = expected.cells[id], expected.cells[id].source
        if known.by_hand and not known.task:
            lost = say(
                "(This cell was missing from what was handed in. The answer may stand in another one.)",
                "（提交的笔记本里没有这个单元格，答案可能写在别处。）",
            )
            source = f"{lost}\n\n{source}"  # a changed text, so that a person looks at it
        places = {cell.known.id: i for i, cell in enumerate(cells) if cell.known is not None}
        before = [] if known.by_hand else order[: order.index(id)]
        behind = next((places[name] for name in reversed(before) if name in places), len(cells) - 1)
        cells.insert(behind + 1, _Cell(known.kind, source, known))
    if missing:
        listed = ", ".join(missing)
        notes.append(say(f"Missing cells were put back: {listed}.", f"缺失的单元格已补回：{listed}。"))


def _take_the_file(cells: list[_Cell], files: dict[str, bytes], expected: Expected, limits: Limits, notes: list[str]) -> None:
    """Where the written answer stands in its file and not in its cell, show it in the cell, for whoever grades it."""
    cell = next((cell for cell in cells if cell.known is not None and cell.known.id == GRADE_ID), None)
    answer = _written(files.get(HAND_IN, b""))
    if cell is None or not answer or _answered(cell.source):
        return
    allowance = Allowance.of(limits)
    cell.source = _prose(allowance.of_source(answer), {}, limits, allowance)
    notes.append(say(f"The answer to {GRADE_ID} was taken from {HAND_IN}.", f"{GRADE_ID} 的答案取自 {HAND_IN}。"))


def _written(content: bytes) -> str:
    """A text file's text, empty where it is still the template."""
    encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    text = content.decode(encoding, "replace").replace("\r\n", "\n")
    return text if _answered(text) else ""


def _answered(text: str) -> bool:
    """Whether there is anything but headings and what stands for an answer to be."""
    return any(line.strip() not in ("", TEXT_STUB) and not line.startswith("#") for line in text.splitlines())


def _node(cell: _Cell, number: int) -> NotebookNode:
    """The cell of the new notebook, with an id of its place."""
    id = f"cell-{number}"
    if cell.kind == "code":
        node = new_code_cell(cell.source, outputs=cell.outputs, id=id)
    else:
        node = new_markdown_cell(cell.source, id=id)
        if cell.attachments:
            node["attachments"] = cell.attachments
    if cell.known is not None:
        node.metadata["nbgrader"] = metadata_of(cell.known)
    return node


def metadata_of(known: KnownCell) -> dict[str, Any]:
    """nbgrader's metadata for a cell of the release."""
    metadata: dict[str, Any] = {
        "grade_id": known.id,
        "grade": known.grade,
        "solution": known.solution,
        "locked": known.locked,
        "task": known.task,
        "schema_version": 3,
        "cell_type": known.kind,
    }
    if known.grade or known.task:
        metadata["points"] = known.points
    return metadata
