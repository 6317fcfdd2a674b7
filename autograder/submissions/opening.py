"""Opens a candidate: reads its folder, archive or file within the limits and arranges what is in it. The batch calls it.

One layer of archives is opened: the submission itself, or the one that a student's folder, or place in a class's zip, holds.
"""

from __future__ import annotations

import io
import os
import posixpath
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from autograder.language import say
from autograder.limits import Limits
from autograder.submissions.archives import ClassZip, read_archive
from autograder.submissions.folders import open_file, read_files, read_folder
from autograder.submissions.kinds import is_any_archive, is_notebook, is_python, module_of
from autograder.submissions.layout import arrange
from autograder.submissions.model import Candidate, Submission, Unreadable
from autograder.submissions.names import id_of
from autograder.submissions.tree import Allowance, shorten


def open_submission(candidate: Candidate, limits: Limits, *, keep_notebook: bool = False) -> Submission:
    """What this student handed in, in one form whatever it came in.

    keep_notebook: with the notebook's own bytes. Grading needs its cells alone, and sends the submission to another process.
    Raises Unreadable, and nothing else, with a sentence for the instructor: what is wrong and what to do.
    """
    notes = list(candidate.notes)
    try:
        files = _read(candidate, notes, limits)
        submission = arrange(candidate.student, files, notes, limits)
        return submission if keep_notebook else replace(submission, notebook=b"")
    except OSError as error:
        name, reason = shorten(candidate.path.name), error.strerror or type(error).__name__
        raise Unreadable(
            say(f"{name} cannot be read ({reason}): check the file and run again.", f"无法读取 {name}（{reason}）：请检查文件后重新运行。")
        ) from None


def _read(candidate: Candidate, notes: list[str], limits: Limits) -> dict[str, bytes]:
    path = candidate.path
    if candidate.parts:
        in_folder = path.is_dir()
        tree = read_files(path, candidate.parts, limits) if in_folder else _class_zip(path).read(candidate.parts, limits)
    elif path.is_dir() and not path.is_symlink():
        tree = read_folder(path, limits)
    else:
        return _read_file(path, notes, limits)
    files = tree.files(limits)
    notes += tree.notes
    return _with_archives_opened(files, notes, limits)


def _read_file(path: Path, notes: list[str], limits: Limits) -> dict[str, bytes]:
    """A bare file: an archive, a notebook or a module."""
    with open_file(path) as file:
        if is_notebook(path.name) or is_python(path.name):
            most = limits.notebook_bytes if is_notebook(path.name) else limits.archive_bytes
            content = file.read(most + 1)  # one more than allowed: whoever reads it sees that it is too long
            if is_python(path.name):
                Allowance(limits).bytes(len(content))
            return {path.name: content}
        tree = read_archive(file, limits)
        files = tree.files(limits)
        notes += tree.notes
        return files


def _with_archives_opened(files: dict[str, bytes], notes: list[str], limits: Limits) -> dict[str, bytes]:
    """Where a student's folder holds an archive and nothing to grade beside it, the archive is the submission."""
    names = [posixpath.basename(path) for path in files]
    archives = sorted(path for path in files if is_any_archive(posixpath.basename(path)))
    if not archives or any(module_of(name) or is_notebook(name) for name in names):
        return files
    opened = {path: content for path, content in files.items() if path not in archives}
    for archive in archives:
        folder, name = posixpath.split(archive)
        tree = read_archive(io.BytesIO(files[archive]), limits)
        below = posixpath.join(folder, id_of(name))
        for path, content in tree.files(limits).items():
            opened.setdefault(posixpath.join(below, path), content)
        notes += tree.notes
    allowance = Allowance(limits)
    for content in opened.values():
        allowance.member()
        allowance.bytes(len(content))
    return opened


def _class_zip(path: Path) -> ClassZip:
    """The zip of a whole class, opened once for all its students; again in another process, or when the file has changed."""
    status = path.stat()
    return _opened_zip(path, status.st_mtime_ns, status.st_size, os.getpid())


@lru_cache(maxsize=1)
def _opened_zip(path: Path, _time: int, _size: int, _process: int) -> ClassZip:
    return ClassZip(open(path, "rb"))  # kept open as long as it is the last one asked for
