"""Files that are whole or not there: how every file of the reports is written."""

from __future__ import annotations

import os
import secrets
import time
from contextlib import suppress
from pathlib import Path

LEFTOVER_SECONDS = 60.0  # a temporary file older than this belongs to a run that was killed


def write_atomically(path: Path, text: str) -> None:
    """Write `text` as UTF-8 so that `path` holds, at any moment, all of the old or all of the new."""
    _remove_leftovers(path)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}.tmp")
    try:
        # Not tempfile.mkstemp: it hides the file from everybody but its owner, whatever the umask says.
        with open(temporary, "x", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make the rename last through a power cut, where the system can open a folder."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _remove_leftovers(path: Path) -> None:
    prefix, long_ago = f".{path.name}.", time.time() - LEFTOVER_SECONDS
    for entry in os.scandir(path.parent):
        if entry.name.startswith(prefix) and entry.name.endswith(".tmp"):
            with suppress(FileNotFoundError):  # another process was quicker
                if entry.stat(follow_symlinks=False).st_mtime < long_ago:
                    os.unlink(entry)
