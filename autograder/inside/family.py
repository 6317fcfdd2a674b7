"""Who descends from whom, and how much memory they use, read from /proc for the keeper and the template."""

from __future__ import annotations

import os

MOST = 4096


def children(proc: int, pid: int) -> list[int]:
    """The children of a process, as the /proc behind the folder descriptor `proc` numbers them; empty where it is gone."""
    return [int(child) for thread in _names(proc, f"{pid}/task") for child in _read(proc, f"{pid}/task/{thread}/children").split()]


def descendants(proc: int, pid: int) -> list[int]:
    """All processes below `pid`."""
    found: list[int] = []
    left = [pid]
    while left and len(found) < MOST:
        new = children(proc, left.pop())
        found += new
        left += new
    return found


def memory_of(proc: int, pid: int) -> int:
    """The memory that a process has in use, in bytes, what it shares with its parent included; 0 where it is gone."""
    numbers = _read(proc, f"{pid}/statm").split()
    return int(numbers[1]) * os.sysconf("SC_PAGE_SIZE") if len(numbers) > 1 else 0


def processes_of_user() -> int:
    """Processes and threads that this user has on this machine, where the kernel counts a job's among them."""
    count, uid = 0, os.getuid()
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == uid:
                count += len(os.listdir(f"/proc/{name}/task"))
        except OSError:  # gone meanwhile
            continue
    return count


def _read(proc: int, path: str) -> bytes:
    try:
        descriptor = os.open(path, os.O_RDONLY, dir_fd=proc)
    except OSError:
        return b""
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def _names(proc: int, path: str) -> list[str]:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY, dir_fd=proc)
    except OSError:
        return []
    try:
        return os.listdir(descriptor)
    except OSError:
        return []
    finally:
        os.close(descriptor)
