"""Adds the sixteenth exercise of this folder to a clone of the course, by the steps of CONTRIBUTING.md and no other.

`python examples/sixteenth/apply.py` in the root of a clone that you throw away afterwards, then `autograder build`. A test runs it.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell

HERE = Path(__file__).resolve().parent
ID = "sliding_window"
MODULES = (f"solutions/{ID}.py", f"exercises/tests/test_{ID}.py", f"autograder/hidden/test_{ID}.py")
NOTEBOOKS = ("attention", "attention-zh")
BEHIND = "hand-in"  # the cell before which the last section ends


def apply(root: Path) -> None:
    """Write the six files of the exercise into the course under `root`."""
    for name in MODULES:
        shutil.copyfile(HERE / name, root / name)
    add_entry(root / "autograder" / "course.py")
    for name in NOTEBOOKS:
        add_section(root / "source" / name / f"{name}.ipynb", (HERE / "source" / name / "section.md").read_text("utf-8"))


def add_entry(course: Path) -> None:
    """Put the exercise at the end of COURSE."""
    entry = (HERE / "course_entry.txt").read_text("utf-8")
    lines = "".join(f"    {line}" for line in entry.splitlines(keepends=True))
    before, end, after = course.read_text("utf-8").partition("\n)\n\nMAX_SCORE")
    course.write_text(f"{before}\n{lines.rstrip()}{end}{after}", "utf-8")


def add_section(path: Path, prose: str) -> None:
    """Put the section before the notebook's last part: the prose, and three cells that `autograder build` fills."""
    nb = nbformat.read(path, as_version=4)
    place = next(i for i, cell in enumerate(nb.cells) if cell.id == BEHIND)
    names = (ID, f"check-{ID}", f"grade-{ID}")
    cells = [new_code_cell("", metadata={"nbgrader": {"grade_id": name}}) for name in names]
    nb.cells[place:place] = [new_markdown_cell(prose.rstrip()), *cells]
    nbformat.write(nb, path)


if __name__ == "__main__":
    apply(Path(sys.argv[1]) if len(sys.argv) > 1 else Path.cwd())
