"""What the grader tells a template process when it starts it, and what the template answers: two small JSON records."""

from __future__ import annotations

import dataclasses
import json

SUBMISSION, SCRATCH, PACKAGES, KIT = "/submission", "/scratch", "/packages", "/kit"

# What can be missing from a jail. `autograder.jail.remarks` has the sentences.
NO_NAMESPACES, NO_LANDLOCK, NO_SECCOMP, NO_USER, NO_FAMILY = "namespaces", "landlock", "seccomp", "user", "family"


@dataclasses.dataclass(frozen=True)
class Setting:
    """How a template is to jail the processes that it forks.

    namespaces: "given" where bubblewrap made them, "make" to make what the kernel allows, "none" for the fallback without.
    binds: (source, target) of each file or folder that is visible; covers: folders in them that are to look empty;
    links: (target, path) of symbolic links. uids: the first user id of the template's own range and their number, for root.
    others: processes that the kernel counts with the job's, other than the template's own. Sizes in bytes, times in seconds.
    """

    namespaces: str
    confine: bool
    binds: list[tuple[str, str]]
    covers: list[str]
    links: list[tuple[str, str]]
    stdlib: list[str]
    worker: str
    preload: list[str]
    environment: dict[str, str]
    temporary: str
    uids: tuple[int, int] | None
    memory: int
    cpu_seconds: int
    processes: int
    others: int
    open_files: int
    scratch: int


@dataclasses.dataclass(frozen=True)
class Ready:
    """What a template says once it can fork: what the jail lacks, and its temporary folder where it needed one."""

    landlock: int
    missing: list[str]
    folder: str
    error: str = ""


@dataclasses.dataclass(frozen=True)
class Places:
    """Where a jailed process finds things, as paths that it can open."""

    submission: str
    scratch: str
    packages: str
    kit: str
    stdlib: list[str]
    readable: list[str]


def to_json(record: Setting | Ready) -> bytes:
    """The record as it crosses the control channel."""
    return json.dumps(dataclasses.asdict(record)).encode()
