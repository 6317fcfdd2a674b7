"""Files that are whole or not there: how every file of the reports is written, and the ledger's entries.

Whatever kills a run, a file holds all of the old or all of the new. After a power cut too where it was synced to the disk before
it took its name; a sync takes milliseconds, in which other threads can write.
"""

from __future__ import annotations

import os
import re
import secrets
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

LEFTOVER_SECONDS = 60.0  # a temporary file older than this belongs to a run that was killed
ENDING = ".tmp"
LEFTOVER = re.compile(r"\..+\.(?:[0-9a-f]{12}|json)\.tmp")


def write_atomically(path: Path, text: str) -> None:
    """Write `text` as UTF-8 so that `path` holds, at any moment, all of the old or all of the new; from here on it lasts."""
    write_together(path.parent, {path.name: text})
    _sync_folder(path.parent)


def write_together(folder: Path, files: Mapping[str, str]) -> None:
    """Write files (name -> text) into one folder, each whole or not at all, and none before all are on the disk.

    They take their names in the order given. A power cut in the next seconds may bring the old ones back, whole: to have the folder
    synced for every submission of a class would double what writing costs.
    """
    _remove_leftovers(folder, files)
    temporary = {name: folder / f".{name}.{secrets.token_hex(6)}{ENDING}" for name in files}
    try:
        for name, text in files.items():
            _write(temporary[name], text, sync=True)
        for name in files:
            os.replace(temporary[name], folder / name)
    except BaseException:
        for path in temporary.values():
            path.unlink(missing_ok=True)
        raise


def write_unsynced(path: Path, text: str) -> None:
    """As `write_atomically`, but a power cut may tear it: for a file whose reader notices, written by one process at a time."""
    temporary = path.with_name(f".{path.name}{ENDING}")
    _write(temporary, text, sync=False)
    os.replace(temporary, path)


def remove_leftovers(folder: Path) -> None:
    """Remove what a run that was killed left of files being written, where the folder is there; nobody else may write in it now."""
    with suppress(FileNotFoundError):
        for entry in os.scandir(folder):
            if LEFTOVER.fullmatch(entry.name):
                os.unlink(entry)


def _write(path: Path, text: str, *, sync: bool) -> None:
    # Not tempfile.mkstemp: it hides the file from everybody but its owner, whatever the umask says.
    with open(path, "x" if sync else "w", encoding="utf-8", newline="") as file:
        file.write(text)
        if sync:
            file.flush()
            os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Make the rename last through a power cut, where the system can open a folder."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _remove_leftovers(folder: Path, files: Mapping[str, str]) -> None:
    long_ago = time.time() - LEFTOVER_SECONDS
    for entry in os.scandir(folder):
        name = entry.name
        if name.endswith(ENDING) and name.startswith(".") and name.removesuffix(ENDING).rpartition(".")[0][1:] in files:
            with suppress(FileNotFoundError):  # another process was quicker
                if entry.stat(follow_symlinks=False).st_mtime < long_ago:
                    os.unlink(entry)
