"""Which files can lie together where a submission is graded: none in the kit's places, none where a folder must be. `layout` calls it."""

from __future__ import annotations

import posixpath

from autograder.language import say
from autograder.submissions.kinds import EXERCISES, module_of
from autograder.submissions.provided import NAMES as PROVIDED_NAMES
from autograder.submissions.provided import UNUSED_DATA
from autograder.submissions.tree import shorten


def without_clashes(placed: dict[str, bytes], notes: list[str]) -> dict[str, bytes]:
    """The files of a submission, each at its place, without those that cannot be there.

    The kit's own files come to their places whatever came in. Files that were moved may meet: a file gives way to a folder of
    its name, but an exercise's module to nothing.
    """
    kept = {path: content for path, content in placed.items() if not _is_the_kits(path)}
    for path in sorted(kept):
        for folder in _folders_of(path):
            if folder in kept:
                loser = path if _is_module(folder) else folder
                kept.pop(loser, None)
                name = shorten(loser)
                notes.append(
                    say(f"{name} was left out: another file or folder has its name.", f"忽略了 {name}：与另一个文件或文件夹重名。")
                )
    kept.pop(EXERCISES, None)  # the kit has a folder there, even beside a notebook
    return kept


def _is_the_kits(path: str) -> bool:
    """Whether the kit's own file or folder comes to this place, or above it."""
    folder, name, *_ = (*path.split("/"), "")
    return (folder == EXERCISES and name in (*PROVIDED_NAMES, "tests")) or path == UNUSED_DATA


def _is_module(path: str) -> bool:
    folder, name = posixpath.split(path)
    found = module_of(name)
    return folder == EXERCISES and found is not None and found.rank == 0


def _folders_of(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:depth]) for depth in range(1, len(parts))]
