"""`autograder release`: what students get, made by nbgrader, searched for leaks, and zipped. The command line calls `release`."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.content.generated import stale_faults
from autograder.content.layout import Layout
from autograder.content.leaks import find_leaks

# The earliest time that a zip can hold: the same content gives the same bytes, whenever it was made.
ZIP_TIME = (1980, 1, 1, 0, 0, 0)


class ReleaseError(Exception):
    """No release was written; the text says why, a line per reason, and what to do."""


@dataclass(frozen=True)
class Released:
    """One assignment, ready for students."""

    assignment: str
    folder: Path
    archive: Path


def release(out: Path | None = None, layout: Layout | None = None) -> list[Released]:
    """Release every assignment of source/ to `out`/<assignment>/ and `out`/<assignment>.zip.

    out: by default release/ in the root. What stood there for an assignment is replaced, and only by a release without leaks.
    Raises: ReleaseError where stubs or notebooks are out of date, nbgrader fails, or a leak is found.
    """
    layout = layout or Layout()
    out = out or layout.root / "release"
    faults = stale_faults(layout)
    if faults:
        raise ReleaseError("\n".join(map(str, faults)))

    with tempfile.TemporaryDirectory(prefix="autograder-release-") as scratch:
        made = []
        for notebook in layout.notebooks():
            folder = generate(notebook.assignment, Path(scratch), layout)
            leaks = find_leaks(folder, layout)
            if leaks:
                lines = [f"{notebook.assignment}/{leak}" for leak in leaks]
                raise ReleaseError("\n".join([*lines, f"{len(leaks)} leaks: take these lines out of source/ or exercises/"]))
            made.append(folder)
        return [_put(folder, out) for folder in made]


def generate(assignment: str, scratch: Path, layout: Layout) -> Path:
    """nbgrader's generate_assignment with the course's own configuration, but into `scratch` and without its database."""
    from nbgrader.converters import GenerateAssignment
    from nbgrader.converters.base import NbGraderException
    from nbgrader.coursedir import CourseDirectory

    config = _course_config(layout)
    config.CourseDirectory.root = str(layout.root)
    config.CourseDirectory.assignment_id = assignment
    config.CourseDirectory.release_directory = str(scratch)
    config.CourseDirectory.db_url = f"sqlite:///{scratch / 'gradebook.db'}"
    config.GenerateAssignment.no_database = True
    config.SaveCells.enabled = False
    try:
        GenerateAssignment(coursedir=CourseDirectory(config=config), config=config).start()
    except NbGraderException as error:
        raise ReleaseError(f"{assignment}: nbgrader could not generate the assignment; its own messages are above ({error})") from error
    return scratch / assignment


def _course_config(layout: Layout) -> Any:
    from traitlets.config.loader import PyFileConfigLoader

    return PyFileConfigLoader("nbgrader_config.py", path=str(layout.root)).load_config()


def _put(folder: Path, out: Path) -> Released:
    target, archive = out / folder.name, out / f"{folder.name}.zip"
    out.mkdir(parents=True, exist_ok=True)
    if target.exists():
        shutil.rmtree(target)
    shutil.copytree(folder, target)
    write_zip(folder, archive)
    return Released(folder.name, target, archive)


def write_zip(folder: Path, archive: Path) -> None:
    """Zip `folder`, its name included. Sorted, undated and stored as they are, so that equal files give equal bytes:
    a compressed stream depends on the version of zlib."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as bundle:
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            member = zipfile.ZipInfo(f"{folder.name}/{path.relative_to(folder).as_posix()}", ZIP_TIME)
            member.external_attr = 0o644 << 16
            member.create_system = 3
            bundle.writestr(member, path.read_bytes())
