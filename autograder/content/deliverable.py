"""The deliverable that a person grades: a prompt that explains attention, written in a cell of the notebook or in a file.

Its model answers lie among the solutions, one per language. Students get their headings, with dots below each.
"""

from __future__ import annotations

import re
from pathlib import Path

from nbformat.v4 import new_markdown_cell, new_notebook

from autograder.content.layout import ASSIGNMENTS, Fault, Layout
from autograder.content.regions import BEGIN, END
from autograder.course import PROMPT_POINTS as POINTS

GRADE_ID = "prompt"
HAND_IN = "outputs/prompt-attention-explainer.md"

TEXT_STUB = "…"
FLAGS = {"grade": True, "solution": True, "locked": False, "points": POINTS}

_HEADING = re.compile(r"^(##? .+)$", re.MULTILINE)


def in_notebook(answer: str) -> str:
    """A model answer as the notebook's source holds it: no title, since the section has one, and headings below the section's."""
    _, _, body = answer.partition("\n## ")
    return _HEADING.sub(r"#\1", with_regions(f"## {body}"))


def with_regions(answer: str) -> str:
    """The same text, with what stands below each heading as a solution region."""
    _, *parts = _HEADING.split(answer)
    sections = []
    for heading, body in zip(parts[::2], parts[1::2], strict=True):
        sections.append(heading + (f"\n\n{BEGIN}\n{body.strip()}\n{END}" if body.strip() else ""))
    return "\n\n".join(sections)


def headings(answer: str) -> str:
    """What a student gets of a model answer, cut by nbgrader's own preprocessor as in the notebook."""
    from nbgrader.preprocessors import ClearSolutions

    cell = new_markdown_cell(with_regions(answer), metadata={"nbgrader": {"solution": True}})
    ClearSolutions(text_stub=TEXT_STUB).preprocess(new_notebook(cells=[cell]), {})
    return str(cell.source) + "\n"


def template_files(layout: Layout) -> tuple[dict[Path, str], list[Fault]]:
    """The file of each assignment in which the answer can be written instead of in the notebook: path -> text."""
    files: dict[Path, str] = {}
    faults: list[Fault] = []
    for lang, assignment in ASSIGNMENTS.items():
        answer = layout.model_answer(lang)
        if answer.is_file():
            files[layout.source / assignment / HAND_IN] = headings(answer.read_text(encoding="utf-8"))
        else:
            faults.append(Fault(layout.name(answer), "there is no model answer", "write it, with a heading for each part"))
    return files, faults
