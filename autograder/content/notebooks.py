"""The code cells of the notebooks, kept in step with solutions/.

Prose, worked examples and their order are the author's and stay as they are in source/. For each exercise this module
owns three cells, found by their grade_id: `<id>`, the solution; `check-<id>`, the self-check; `grade-<id>`, the points. It
also owns the cell of the deliverable that is graded by hand.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from autograder.content import deliverable
from autograder.content.layout import ASSIGNMENTS, Fault, Layout, Notebook
from autograder.course import COURSE, Exercise
from autograder.language import Text

HEADING = re.compile(r"^## (\S.*)$", re.MULTILINE)

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}

SOLUTION_FLAGS = {"grade": False, "solution": True, "locked": False}
GRADED_FLAGS = {"grade": True, "solution": False, "locked": True}

# {lang} is empty in the English notebook, where AUTOGRADER_LANG decides; the Chinese one speaks Chinese whatever it says.
CHECK_SOURCE = """\
from exercises.tests.notebook import check

check("{id}"{lang})"""

GRADE_SOURCE = """\
# {note}
### BEGIN HIDDEN TESTS
{warning}
from autograder.kernel import score

score("{id}"{lang})
### END HIDDEN TESTS"""

GRADE_NOTE = Text(
    "{points:g} points are given here, after you have handed in: hidden tests run on what you wrote above. Nothing to do.",
    "这里记 {points:g} 分：提交之后，隐藏测试会检验你在上面写的代码。此单元格无需填写。",
)
BONUS_NOTE = Text(
    "{points:g} bonus points are given here, after you have handed in: hidden tests run on what you wrote above. Nothing to do.",
    "这里记 {points:g} 分附加分：提交之后，隐藏测试会检验你在上面写的代码。此单元格无需填写。",
)
# Part of the hidden tests, so that instructors read it; students do in the feedback of a course that runs these cells.
UNSAFE = Text(
    "# Not run where nbgrader_config.py calls `configure` of autograder.gradebook: there the points come from outside of the notebook.\n"
    "# Run by nbgrader's own Execute it is unsafe: in the kernel of the code that it grades, which can change what it prints.",
    "# 若 nbgrader_config.py 调用了 autograder.gradebook 的 configure，这里不会运行：分数由笔记本之外的评分程序给出。\n"
    "# 若由 nbgrader 自带的 Execute 运行则不安全：它与被评的代码在同一个内核里，那段代码可以改变它的输出。",
)


@dataclass(frozen=True)
class Owned:
    """What a cell of this module's holds: code or markdown, its source, and what it is to nbgrader."""

    kind: str
    source: str
    flags: dict[str, Any]


class NotForNotebooks(ValueError):
    """A solution module that cannot become one cell of a notebook; the text says why."""


def solution_source(module: str) -> str:
    """The code of a solution module as a notebook cell: no module docstring, no import of an earlier exercise.

    In a notebook all exercises share one namespace, so that earlier entry points are there under their own names.
    """
    lines = module.splitlines()
    drop: set[int] = set()
    for i, node in enumerate(ast.parse(module).body):
        if i == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            drop.update(_lines_of(node))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "solutions":
            if any(name.asname for name in node.names):
                raise NotForNotebooks("an import from solutions is renamed with `as`")
            drop.update(_lines_of(node))
        elif isinstance(node, ast.Import) and any(name.name.split(".")[0] == "solutions" for name in node.names):
            raise NotForNotebooks("`import solutions…` has no meaning in a notebook; write `from solutions.softmax import softmax`")
    kept = [line for number, line in enumerate(lines, start=1) if number not in drop]
    return _without_wide_gaps("\n".join(kept).strip("\n"))


def _lines_of(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _without_wide_gaps(code: str) -> str:
    """Where imports went, blank lines remain: never more than two of them in a row."""
    while "\n\n\n\n" in code:
        code = code.replace("\n\n\n\n", "\n\n\n")
    return code


def cell_ids(exercise_id: str) -> tuple[str, str, str]:
    """The grade_ids of an exercise's cells in their order: solution, check, grade."""
    return exercise_id, f"check-{exercise_id}", f"grade-{exercise_id}"


def owned_cells(exercise: Exercise, notebook: Notebook, solution: str) -> dict[str, Owned]:
    """grade_id -> what its cell holds, for the three cells of one exercise."""
    note = notebook.text(BONUS_NOTE if exercise.bonus else GRADE_NOTE).format(points=exercise.points)
    warning = notebook.text(UNSAFE)
    lang = "" if notebook.language == "en" else f', lang="{notebook.language}"'
    points = int(exercise.points) if float(exercise.points).is_integer() else exercise.points
    own, check, grade = cell_ids(exercise.id)
    return {
        own: Owned("code", solution_source(solution), SOLUTION_FLAGS),
        # Worth no points but marked as graded: nbgrader's Validate reports graded cells only, one of 0 points where it fails.
        check: Owned("code", CHECK_SOURCE.format(id=exercise.id, lang=lang), {**GRADED_FLAGS, "points": 0}),
        grade: Owned(
            "code", GRADE_SOURCE.format(id=exercise.id, note=note, warning=warning, lang=lang), {**GRADED_FLAGS, "points": points}
        ),
    }


def in_step(text: str, notebook: Notebook, layout: Layout) -> tuple[str, list[Fault]]:
    """The notebook's text with every owned cell up to date, outputs cleared; and the cells that it lacks."""
    nb = nbformat.reads(text, as_version=4)
    faults: list[Fault] = []
    for exercise in layout.written_solutions():
        try:
            wanted = owned_cells(exercise, notebook, layout.solution(exercise).read_text(encoding="utf-8"))
        except NotForNotebooks as error:
            faults.append(Fault(layout.name(layout.solution(exercise)), str(error), "the notebook has no such module"))
            continue
        for grade_id, content in wanted.items():
            faults += _put(nb, grade_id, content, layout.name(notebook.path), f"to the section of {exercise.id}")
    answer = layout.model_answer(notebook.language)
    if answer.is_file():
        by_hand = Owned("markdown", deliverable.in_notebook(answer.read_text(encoding="utf-8")), deliverable.FLAGS)
        faults += _put(nb, deliverable.GRADE_ID, by_hand, layout.name(notebook.path), "where the deliverable is explained")
    for cell in nb.cells:
        _clear(cell)
    nb.metadata = nbformat.from_dict(METADATA)
    nb.nbformat, nb.nbformat_minor = 4, 5
    return nbformat.writes(nb) + "\n", faults


def _put(nb: NotebookNode, grade_id: str, content: Owned, file: str, place: str) -> list[Fault]:
    """Bring the one cell with this grade_id up to date."""
    cells = [cell for cell in nb.cells if grade_id_of(cell) == grade_id]
    if len(cells) == 1:
        _update(cells[0], grade_id, content)
        return []
    if cells:
        return [Fault(file, f"{len(cells)} cells have the grade_id {grade_id}", "leave one and run `autograder build`")]
    way_out = f'add a {content.kind} cell with the metadata {{"nbgrader": {{"grade_id": "{grade_id}"}}}} {place} and run `autograder build`'
    return [Fault(file, f"no cell has the grade_id {grade_id}", way_out)]


def grade_id_of(cell: NotebookNode) -> str:
    """nbgrader's id of a cell, empty where it has none."""
    return str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))


def section_titles(notebook: Notebook) -> dict[str, str]:
    """Exercise -> the heading of its section, "1 Softmax: from scores to weights"; without those that have none."""
    try:
        cells = nbformat.read(notebook.path, as_version=4).cells
    except (nbformat.reader.NotJSONError, nbformat.ValidationError):
        return {}  # `notebook_files` reports it
    ids, titles, title = {exercise.id for exercise in COURSE}, {}, ""
    for cell in cells:
        if cell.cell_type == "markdown":
            title = next(reversed(HEADING.findall(cell.source)), title)
        elif title and grade_id_of(cell) in ids:
            titles[grade_id_of(cell)] = title
    return titles


def _update(cell: NotebookNode, grade_id: str, content: Owned) -> None:
    cell.cell_type = content.kind
    cell.id = grade_id
    cell.source = content.source
    cell.metadata["nbgrader"] = {
        "grade_id": grade_id,
        **content.flags,
        "task": False,
        "schema_version": 3,
        "cell_type": content.kind,
    }


def _clear(cell: NotebookNode) -> None:
    if cell.cell_type == "code":
        cell.outputs = []
        cell.execution_count = None
    for name in ("execution", "collapsed", "scrolled"):
        cell.metadata.pop(name, None)


def with_ids_of(first: str, text: str) -> str:
    """The notebook `text` with the cell ids of `first` where both have a cell that the other lacks at one place, of one kind.

    An editor gives a new cell an id of its own; the two languages have the same cells.
    """
    cells, nb = nbformat.reads(first, as_version=4).cells, nbformat.reads(text, as_version=4)
    ids, others = {cell.id for cell in cells}, {cell.id for cell in nb.cells}
    if [cell.cell_type for cell in cells] != [cell.cell_type for cell in nb.cells]:
        return text
    for cell, twin in zip(cells, nb.cells, strict=True):
        if twin.id not in ids and cell.id not in others and not grade_id_of(twin):
            twin.id = cell.id
    return nbformat.writes(nb) + "\n"


def notebook_files(layout: Layout) -> tuple[dict[Path, str], list[Fault]]:
    """What the notebooks of source/ must hold: path -> text; and the faults that only an author can mend."""
    files: dict[Path, str] = {}
    faults: list[Fault] = []
    for notebook in layout.notebooks():
        text = notebook.path.read_text(encoding="utf-8")
        try:
            files[notebook.path], found = in_step(text, notebook, layout)
        except (nbformat.reader.NotJSONError, nbformat.ValidationError) as error:
            found = [Fault(layout.name(notebook.path), f"not a notebook ({str(error)[:80]})", "restore it from git")]
        faults += found
    texts = list(files.items())
    for path, text in texts[1:]:
        files[path] = with_ids_of(texts[0][1], text)
    for assignment in ASSIGNMENTS.values():
        path = layout.source / assignment / f"{assignment}.ipynb"
        if path not in files and not path.is_file():
            faults.append(Fault(layout.name(path), "there is no such notebook", "restore it from git"))
    return files, faults
