"""What is generated from solutions/, compared with what is there. Build and release ask; nothing here writes.

It imports little on purpose: nbgrader's configuration loads it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from autograder.content.deliverable import template_files
from autograder.content.layout import Fault, Layout
from autograder.content.notebooks import notebook_files
from autograder.content.stubs import stub_files
from autograder.content.table import readme_files
from autograder.course import COURSE_LIST, flaws


def compare(layout: Layout) -> tuple[dict[Path, str], list[Fault]]:
    """The files that are not what they should be, each with the text that it should have; and what only a person can mend.

    No file is compared with a course list that cannot be used.
    """
    unusable = [Fault(COURSE_LIST, problem, way_out) for problem, way_out in flaws()]
    if unusable:
        return {}, unusable
    wanted: dict[Path, str] = {}
    faults: list[Fault] = []
    for generate in (stub_files, notebook_files, template_files, readme_files):
        files, found = generate(layout)
        wanted |= files
        faults += found
    return {path: text for path, text in sorted(wanted.items()) if not _holds(path, text)}, faults


def stale_faults(layout: Layout) -> list[Fault]:
    """What a build would change or cannot build. No release goes out while there is any."""
    stale, faults = compare(layout)
    return [*faults, *out_of_date(stale, layout)]


def out_of_date(stale: Iterable[Path], layout: Layout) -> list[Fault]:
    """A fault for each of these files."""
    return [Fault(layout.name(path), "out of date", "run `autograder build`") for path in stale]


def _holds(path: Path, text: str) -> bool:
    return path.is_file() and path.read_bytes() == text.encode("utf-8")
