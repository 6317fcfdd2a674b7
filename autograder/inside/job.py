"""One submission of a template's, as data that its keeper and its jailed processes share, and how they tell the grader of them."""

from __future__ import annotations

import os
from dataclasses import dataclass

from .setting import Places, Setting

# What the grader asks of a keeper: to start a process, with its descriptors, and to end it.
START, STOP = b"start", b"stop"
# What goes up a process's pipe, a line each: it is confined and runs; it could not be; it has ended; nothing of it is left.
READY, FAILED, EXITED, SIGNALLED, CLEARED = b"ready", b"failed", b"exited", b"signalled", b"cleared"


@dataclass(frozen=True)
class Descriptors:
    """The open files that come with a request to start a process."""

    connection: int
    stdout: int
    stderr: int
    life: int


@dataclass(frozen=True)
class Job:
    """What the template knows when it forks the keeper of a submission.

    orders: the inner end of the grader's channel to the keeper. files: an open file with the submission's files.
    namespaces: it has a process namespace and mounts of its own. landlock: the version to use, 0 for none.
    uid: the user to become, None to stay who we are. read_all: that user needs a capability to read what is visible.
    proc: a folder descriptor of a /proc in which the keeper is seen. base_memory: what the template itself has in use.
    """

    setting: Setting
    places: Places
    orders: int
    files: int
    namespaces: bool
    landlock: int
    seccomp: bool
    uid: int | None
    read_all: bool
    processes: int
    address_space: int
    proc: int
    base_memory: int


def tell(descriptor: int, word: bytes, text: str = "") -> None:
    """One line up a process's pipe, or to the grader; nobody may be there to read it."""
    try:
        os.write(descriptor, word + b" " + text.replace("\n", " ")[:2000].encode("utf-8", "replace") + b"\n")
    except OSError:
        pass
