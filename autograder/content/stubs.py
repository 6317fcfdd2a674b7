"""exercises/ from solutions/: the stubs, and the few files of the self-check that are written once for both sides.

`build` writes what this module returns; nothing here touches a file of exercises/.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from autograder.content.layout import Fault, Layout
from autograder.content.notebooks import section_titles
from autograder.course import COURSE
from autograder.language import Text

STUB_LINE = 'raise NotImplementedError("to do: follow the TODO comments above, then delete this line")'

COPIED_TO_TESTS = ("expect.py", "heatmap_text.py", "language.py")

_IMPORT_FROM_SOLUTIONS = re.compile(r"^(\s*(?:from|import)\s+)solutions\b", re.MULTILINE)


class NoSolutionRegion(ValueError):
    """A module without `### BEGIN SOLUTION`: nbgrader would replace all of it, signatures included."""


def clear_solutions(code: str) -> str:
    """`code` with every solution region replaced by the stub line, by nbgrader's own preprocessor.

    Raises: NoSolutionRegion where there is none; RuntimeError, nbgrader's, where the markers do not pair up.
    """
    from nbformat.v4 import new_code_cell, new_notebook
    from nbgrader.preprocessors import ClearSolutions

    if "### BEGIN SOLUTION" not in code:
        raise NoSolutionRegion("there is no `### BEGIN SOLUTION`")
    cell = new_code_cell(code, metadata={"nbgrader": {"solution": True}})
    ClearSolutions(code_stub={"python": STUB_LINE}).preprocess(new_notebook(cells=[cell]), {})
    return str(cell.source)


def stub(solution: str) -> str:
    """What a student gets of a solution module."""
    return _IMPORT_FROM_SOLUTIONS.sub(r"\1exercises", clear_solutions(solution))


def course_table(layout: Layout) -> str:
    """exercises/tests/course.py: titles of exercises and sections, which the self-check cannot import from the grader."""
    sections = {notebook.language: section_titles(notebook) for notebook in layout.notebooks()}
    titles = {e.id: e.title for e in COURSE}
    return (
        '"""The exercises in the order in which they are taught, for the board at the end of a run, and the lesson\'s section on each.\n\n'
        'Written by `autograder build` from the course list and the notebooks; do not edit.\n"""\n\n'
        "from __future__ import annotations\n\n"
        "from .language import Text\n\n"
        f"TITLES: dict[str, Text] = {{\n{_rows(titles)}}}\n\n"
        f"SECTIONS: dict[str, Text] = {{\n{_rows({id: _section(id, title, sections) for id, title in titles.items()})}}}\n"
    )


def _section(id: str, title: Text, sections: Mapping[str, Mapping[str, str]]) -> Text:
    """The heading over an exercise in both notebooks; its title where there is none, which the content check reports."""
    en, zh = (sections.get(lang, {}).get(id, half) for lang, half in (("en", title.en), ("zh", title.zh)))
    return Text(en, zh)


def _rows(texts: Mapping[str, Text]) -> str:
    return "".join(f"    {_quoted(id)}: Text({_quoted(text.en)}, {_quoted(text.zh)}),\n" for id, text in texts.items())


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def stub_files(layout: Layout) -> tuple[dict[Path, str], list[Fault]]:
    """What exercises/ must hold: path -> text, for every file in it that is generated; and solutions that cannot be cut."""
    files = {layout.visible_tests / "course.py": course_table(layout)}
    faults: list[Fault] = []
    for name in COPIED_TO_TESTS:
        files[layout.visible_tests / name] = (layout.root / "autograder" / name).read_text(encoding="utf-8")
    for exercise in layout.written_solutions():
        try:
            files[layout.stub(exercise)] = stub(layout.solution(exercise).read_text(encoding="utf-8"))
        except (NoSolutionRegion, RuntimeError) as error:
            faults.append(
                Fault(
                    layout.name(layout.solution(exercise)),
                    str(error),
                    "put what a stub lacks between ### BEGIN SOLUTION and ### END SOLUTION",
                )
            )
    return files, faults
