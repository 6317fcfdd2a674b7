"""Reads a folder on disk into a `Tree`, following nothing: every entry is looked at and opened without going through links.

Also looks over folders for discovery, where only names and times matter.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from autograder.language import say
from autograder.limits import MIB, Limits
from autograder.submissions.kinds import is_litter
from autograder.submissions.model import Part, Unreadable
from autograder.submissions.tree import Allowance, Link, Tree, safe_parts, shorten

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def read_folder(path: Path, limits: Limits) -> Tree:
    """All files below a folder. Raises Unreadable for special files, for too many and too large ones."""
    tree = Tree()
    try:
        top = os.open(path, _FOLDER)
    except OSError as error:
        raise _not_opened(path, error) from None
    try:
        _read(top, (), tree, Allowance(limits))
    finally:
        os.close(top)
    return tree


def read_files(folder: Path, parts: Sequence[Part], limits: Limits) -> Tree:
    """One student's files of a folder that holds a whole class's, each at its place in the submission."""
    tree, allowance = Tree(), Allowance(limits)
    for part in parts:
        allowance.member()
        with open_file(folder / part.entry) as file:
            tree.add(safe_parts(part.path), _content(file.fileno(), part.entry, allowance))
    return tree


@contextmanager
def open_file(path: Path) -> Iterator[BinaryIO]:
    """A regular file, opened without following a link. Raises Unreadable."""
    try:
        descriptor = os.open(path, _FILE)
    except OSError as error:
        raise _not_opened(path, error) from None
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise _special(path.name)
        yield file


def _read(folder: int, at: tuple[str, ...], tree: Tree, allowance: Allowance) -> None:
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise _cannot_read("/".join(at), error) from None
    for name in names:
        parts = (*at, *safe_parts(f"./{name}"))  # a name on disk may look like a drive letter's, and is absolute never
        shown = "/".join(parts)
        if is_litter(parts):
            continue
        try:
            mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
            allowance.member(folder=stat.S_ISDIR(mode))
            if stat.S_ISLNK(mode):
                tree.add(parts, Link(os.readlink(name, dir_fd=folder)))
            elif stat.S_ISDIR(mode):
                safe_parts(shown)  # refuses what is nested too deep
                tree.add_folder(parts)
                inner = os.open(name, _FOLDER, dir_fd=folder)
                try:
                    _read(inner, parts, tree, allowance)
                finally:
                    os.close(inner)
            elif stat.S_ISREG(mode):
                descriptor = os.open(name, _FILE, dir_fd=folder)
                try:
                    tree.add(parts, _content(descriptor, shown, allowance))
                finally:
                    os.close(descriptor)
            else:
                raise _special(shown)
        except OSError as error:
            raise _cannot_read(shown, error) from None


def _content(descriptor: int, name: str, allowance: Allowance) -> bytes:
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        raise _special(name)
    allowance.announced(status.st_size)
    chunks = []
    while chunk := os.read(descriptor, 1 * MIB):
        allowance.bytes(len(chunk))
        chunks.append(chunk)
    return b"".join(chunks)


def _not_opened(path: Path, error: OSError) -> Unreadable:
    if path.is_symlink():
        name = shorten(path.name)
        return Unreadable(
            say(
                f"{name} is a link, and links that leave the submission are not followed: put the folder or file itself there.",
                f"{name} 是链接，指向提交之外的链接不会被跟随：请换成文件夹或文件本身。",
            )
        )
    return _cannot_read(path.name, error)


def _cannot_read(name: str, error: OSError) -> Unreadable:
    reason = error.strerror or type(error).__name__
    return Unreadable(
        say(
            f"{shorten(name)} cannot be read ({reason}): check that it exists and that you have the right to read it.",
            f"无法读取 {shorten(name)}（{reason}）：请检查它是否存在以及是否有读取权限。",
        )
    )


def _special(name: str) -> Unreadable:
    return Unreadable(
        say(
            f"{shorten(name)} is a device, pipe, socket or other special file: look at it before anything else, and remove it.",
            f"{shorten(name)} 是设备、管道、套接字等特殊文件：请先检查，再把它移除。",
        )
    )


def overview(folder: Path, deepest: int, most: int | None) -> Iterator[tuple[str, float, str]]:
    """Path, time and kind ("folder", "file", "link", "other") of what lies below a folder, for discovery.

    Litter and hidden entries are left out, links are not followed, and after `most` entries it stops: a glance, not a reading.
    """
    waiting: list[tuple[str, int]] = [("", 0)]
    seen = 0
    while waiting:
        at, depth = waiting.pop()
        try:
            with os.scandir(folder / at) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in found:
            if entry.name.startswith(".") or is_litter((entry.name,)):
                continue
            seen += 1
            if most is not None and seen > most:
                return
            path = f"{at}/{entry.name}" if at else entry.name
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            kind = _kind(status.st_mode)
            yield path, status.st_mtime, kind
            if kind == "folder" and depth < deepest:
                waiting.append((path, depth + 1))


def _kind(mode: int) -> str:
    for kind, test in (("folder", stat.S_ISDIR), ("file", stat.S_ISREG), ("link", stat.S_ISLNK)):
        if test(mode):
            return kind
    return "other"
