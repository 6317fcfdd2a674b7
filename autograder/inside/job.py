"""One job of a template, as data that its keeper and its jailed process share, and how they tell the grader of it."""

from __future__ import annotations

import os
from dataclasses import dataclass

from .setting import Places, Setting

# What goes up the job's pipe, a line each: the process is confined and runs; it could not be; it has ended.
READY, FAILED, EXITED, SIGNALLED = b"ready", b"failed", b"exited", b"signalled"


@dataclass(frozen=True)
class Descriptors:
    """The open files that come with a spawn request."""

    connection: int
    stdout: int
    stderr: int
    life: int
    request: int


@dataclass(frozen=True)
class Job:
    """What the template knows when it forks the keeper of a job.

    namespaces: the job has a process namespace and mounts of its own. landlock: the version to use, 0 for none.
    uid: the user to become, None to stay who we are. read_all: that user needs a capability to read what is visible.
    proc: a folder descriptor of a /proc in which the keeper is seen. base_memory: what the template itself has in use.
    """

    setting: Setting
    places: Places
    descriptors: Descriptors
    namespaces: bool
    landlock: int
    seccomp: bool
    uid: int | None
    read_all: bool
    processes: int
    address_space: int
    proc: int
    base_memory: int


def tell(life: int, word: bytes, text: str = "") -> None:
    """One line up the job's pipe; nobody may be there to read it."""
    try:
        os.write(life, word + b" " + text.replace("\n", " ")[:2000].encode("utf-8", "replace") + b"\n")
    except OSError:
        pass
