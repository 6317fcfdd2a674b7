"""Makes what students hand in, good and hostile, for the tests of autograder/submissions."""

from __future__ import annotations

import io
import json
import os
import stat
import tarfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from autograder.limits import DEFAULT, Limits
from autograder.submissions import Candidate, Submission, Unreadable, discover, open_submission

SOFTMAX = b"def softmax(x, axis=-1):\n    return x\n"
ATTENTION = b"def scaled_dot_product_attention(Q, K, V):\n    return Q, K\n"
LIMITS = Limits(archive_bytes=200_000, archive_members=50, notebook_bytes=100_000)

Files = Mapping[str, bytes | str]


def write(folder: Path, files: Files) -> Path:
    """The files in a folder on disk; a name that ends with a slash is an empty folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = folder / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_bytes(content))
    return folder


def zipped(files: Files | Sequence[tuple[str, bytes | str]], when: tuple[int, ...] = (2025, 3, 1, 12, 0, 0)) -> bytes:
    """A zip of the files, in the order given."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items() if isinstance(files, Mapping) else files:
            info = zipfile.ZipInfo(name, when)  # type: ignore[arg-type]
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, _bytes(content))
    return out.getvalue()


def zip_member(name: str, content: bytes, mode: int) -> bytes:
    """A zip with one exercise and one member of a special kind: a link, a device."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("exercises/softmax.py", SOFTMAX)
        info = zipfile.ZipInfo(name)
        info.create_system = 3
        info.external_attr = mode << 16
        archive.writestr(info, content)
    return out.getvalue()


def zip_links(files: Files, links: Mapping[str, str]) -> bytes:
    """A zip with files and symbolic links."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
        for name, target in links.items():
            info = zipfile.ZipInfo(name)
            info.create_system = 3
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, target)
    return out.getvalue()


def tarred(files: Files, members: Sequence[tarfile.TarInfo] = (), mode: str = "w:gz") -> bytes:
    """A tar of the files, then of bare members: links, devices."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(_bytes(content)))
        for member in members:
            archive.addfile(member)
    return out.getvalue()


def tar_member(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    """A member of a tar that is no regular file."""
    info = tarfile.TarInfo(name)
    info.type = kind
    info.linkname = target
    return info


def cell(source: Any, grade_id: str = "", locked: bool = False, kind: str = "code", **more: Any) -> dict[str, Any]:
    """A cell of a notebook, with nbgrader's metadata where it has a grade_id."""
    nbgrader = {"grade_id": grade_id, "locked": locked, "grade": locked, "solution": not locked, "schema_version": 3}
    return {"cell_type": kind, "metadata": {"nbgrader": nbgrader} if grade_id else {}, "source": source, "outputs": [], **more}


def notebook(*cells: dict[str, Any], **more: Any) -> bytes:
    """An .ipynb file of nbformat 4."""
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": list(cells), **more}).encode()


def filled_notebook() -> bytes:
    """A notebook with one solved exercise."""
    return notebook(cell("import numpy as np"), cell(SOFTMAX.decode(), "softmax"))


def opened(path: Path, limits: Limits = DEFAULT) -> Submission:
    """The one submission that a path holds."""
    (found,) = discover([path], limits).candidates
    return open_submission(found, limits)


def opened_bytes(tmp_path: Path, name: str, content: bytes, limits: Limits = DEFAULT) -> Submission:
    """The submission in a file of this name."""
    path = tmp_path / name
    path.write_bytes(content)
    return open_submission(Candidate(name, path, 0.0), limits)


def refusal(tmp_path: Path, name: str, content: bytes, limits: Limits = LIMITS) -> str:
    """The sentence with which a file of this name is refused."""
    try:
        opened_bytes(tmp_path, name, content, limits)
    except Unreadable as error:
        return str(error)
    raise AssertionError(f"{name} was opened")


def students(*paths: Path) -> list[str]:
    """The ids that are found under the paths."""
    return [candidate.student for candidate in discover(paths, DEFAULT).candidates]


def set_time(path: Path, when: float) -> None:
    """Set a file's time, and that of all below it."""
    for below in [*path.rglob("*"), path] if path.is_dir() else [path]:
        os.utime(below, (when, when), follow_symlinks=False)


def _bytes(content: bytes | str) -> bytes:
    return content.encode() if isinstance(content, str) else content
