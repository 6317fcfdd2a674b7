"""Reads what a student handed in, from nbgrader's submitted folder: the submission as `autograder grade` takes it, and the notebook.

The exporter calls `read_handed_in`. Nothing here runs student code.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.language import say
from autograder.limits import Limits
from autograder.submissions import Submission, Unreadable
from autograder.submissions.folders import overview, read_folder
from autograder.submissions.kinds import is_notebook
from autograder.submissions.layout import UNTOUCHED, arrange
from autograder.submissions.notebooks import raw_cells, read_notebook
from autograder.submissions.tree import shorten

DEEPEST, MOST_ENTRIES = 5, 2000  # of the glance at a folder in which no notebook lies on top


@dataclass(frozen=True)
class HandedIn:
    """One student's work on one notebook of an assignment.

    cells: those of the notebook to show, as they stand in its file; code_ids: the grade_ids of its code cells, in order,
    none of them twice. files: everything in the folder, by path.
    """

    submission: Submission
    cells: tuple[dict[str, Any], ...]
    code_ids: tuple[str, ...]
    notes: tuple[str, ...]
    files: dict[str, bytes]


def read_handed_in(folder: Path, student: str, notebook: str, others: Collection[str], limits: Limits) -> HandedIn:
    """The submission in submitted/<student>/<assignment>. Raises Unreadable.

    notebook: the name it should have, without .ipynb; others: those of the assignment's other notebooks, which are left aside.
    """
    tree = read_folder(folder, limits)
    aside = {f"{name}.ipynb" for name in others}
    files = {path: content for path, content in tree.files(limits).items() if path not in aside}
    submission = arrange(student, files, list(tree.notes), limits)
    path = _shown(files, submission, f"{notebook}.ipynb", limits)
    notes = [note for note in submission.notes if note != str(UNTOUCHED)]
    notes += _about(path, f"{notebook}.ipynb")
    if not path:
        return HandedIn(submission, (), (), tuple(notes), files)
    ids = tuple(cell.grade_id for cell in read_notebook(files[path], limits).cells)
    return HandedIn(submission, tuple(raw_cells(files[path], limits)), ids, tuple(notes), files)


def _shown(files: dict[str, bytes], submission: Submission, wanted: str, limits: Limits) -> str:
    """The path of the notebook that was graded; where the modules were, of the one with the right name, else of any that can be read."""
    paths = sorted((path for path in files if is_notebook(posixpath.basename(path))), key=lambda path: (path != wanted, path))
    if submission.notebook:
        return next(path for path in paths if files[path] == submission.notebook)
    for path in paths:
        try:
            read_notebook(files[path], limits)
        except Unreadable:
            continue
        return path
    return ""


def _about(path: str, wanted: str) -> list[str]:
    """What is to be told about the notebook's name and place."""
    if not path:
        return [say("There is no notebook that could be shown; the modules were graded.", "没有可显示的笔记本；已按模块评分。")]
    if posixpath.basename(path) != wanted:
        name = shorten(path)
        return [say(f"The notebook was handed in as {name} instead of {wanted}.", f"笔记本提交时名为 {name}，应为 {wanted}。")]
    return [say(f"The notebook lay in a folder: {shorten(path)}.", f"笔记本在子文件夹中：{shorten(path)}。")] if "/" in path else []


def has_notebook(folder: Path) -> bool:
    """Whether a notebook lies anywhere below a folder, as far as names tell."""
    return any(kind == "file" and is_notebook(posixpath.basename(path)) for path, _, kind in overview(folder, DEEPEST, MOST_ENTRIES))
