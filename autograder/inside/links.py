"""The fallback without mounts of one's own: folders of links that show what is allowed, and their removal."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Sequence

from .setting import KIT, PACKAGES, Places, Setting


def lay(setting: Setting, folder: str) -> Places:
    """Links in `folder` to all that is visible; the places of a job are named later, by `job_places`.

    A library folder that holds installed packages is shown as links to all else in it: Landlock can only allow.
    """
    readable: list[str] = []
    for source, target in setting.binds:
        if target.startswith((PACKAGES + "/", KIT + "/")):
            os.makedirs(os.path.dirname(folder + target), exist_ok=True)
            os.symlink(source, folder + target)
            if target.startswith(PACKAGES + "/"):
                readable.append(source)
        else:
            readable += _without(source, setting.covers)
    stdlib = []
    for number, path in enumerate(setting.stdlib):
        if any(covered.startswith(path + "/") for covered in setting.covers):
            shown = f"{folder}/stdlib{number}"
            os.mkdir(shown)
            for entry in _without(path, setting.covers):
                os.symlink(entry, f"{shown}/{os.path.basename(entry)}")
            stdlib.append(shown)
        else:
            stdlib.append(path)
    laid = [path for path in stdlib if path.startswith(folder)]
    return Places("", "", folder + PACKAGES, folder + KIT, stdlib, [*readable, folder + PACKAGES, *laid])


def _without(path: str, covered: Sequence[str]) -> list[str]:
    """The path, or what lies in it where part of it is covered; never anything covered."""
    if path in covered:
        return []
    if not any(one.startswith(path + "/") for one in covered):
        return [path]
    return [part for name in sorted(os.listdir(path)) for part in _without(f"{path}/{name}", covered)]


def wipe(folder: str) -> None:
    """Remove a folder with all that student code left in it, however deep and whatever its permissions."""
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return
    fresh = 0
    while names:
        for name in names:
            path = f"{folder}/{name}"
            if not _is_folder(path):
                os.unlink(path)
                continue
            os.chmod(path, 0o700)
            for inner in os.listdir(path):
                below = f"{path}/{inner}"
                if _is_folder(below):
                    # Lifted out rather than descended into: a path has a greatest length, and the stack too.
                    os.chmod(below, 0o700)
                    os.rename(below, f"{folder}/~{fresh}~")
                    fresh += 1
                else:
                    os.unlink(below)
            os.rmdir(path)
        names = os.listdir(folder)
    os.rmdir(folder)


def _is_folder(path: str) -> bool:
    return stat.S_ISDIR(os.lstat(path).st_mode)


def size_of(folder: str, most_entries: int = 8192) -> int:
    """The bytes that a folder's files take on the disk; a huge number where it has too many entries to count."""
    total, seen, left = 0, 0, [folder]
    while left:
        try:
            with os.scandir(left.pop()) as entries:
                for entry in entries:
                    seen += 1
                    if seen > most_entries:
                        return 1 << 60
                    facts = entry.stat(follow_symlinks=False)
                    total += facts.st_blocks * 512
                    if stat.S_ISDIR(facts.st_mode):
                        left.append(entry.path)
        except OSError as error:  # gone meanwhile, or closed to us; too deep for a path is a way to hide
            if error.errno == errno.ENAMETOOLONG:
                return 1 << 60
    return total
