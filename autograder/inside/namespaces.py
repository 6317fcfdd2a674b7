"""What bubblewrap does, done by the template itself where the Landlock jail may: namespaces, and a root with little in it."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence

from . import kernel
from .setting import PACKAGES, SCRATCH, SUBMISSION, Setting

# The process namespace is made anew for each submission, by the template for the keeper.
OWN = kernel.CLONE_NEWNS | kernel.CLONE_NEWNET | kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS | kernel.CLONE_NEWCGROUP
FOR_A_JOB = kernel.CLONE_NEWPID | kernel.CLONE_NEWNS | kernel.CLONE_NEWIPC
NEW_ROOT = "/tmp"  # a folder that every system has; it is covered in our own view of the file system only


def enter(setting: Setting) -> bool:
    """Move this process into namespaces of its own, with the setting's files as its root. Whether the kernel let it.

    It is tried in a child first, since a failure half-way leaves a process that can do neither.
    """
    child = os.fork()
    if child == 0:
        try:
            _enter(setting)
            os._exit(0 if job_namespaces_work() else 1)
        finally:
            os._exit(1)
    if os.waitpid(child, 0)[1] != 0:
        return False
    _enter(setting)
    return True


def job_namespaces_work() -> bool:
    """Whether this process may give each of its children a process namespace and mounts of its own."""
    try:
        child = kernel.fork_with(FOR_A_JOB)
    except OSError:
        return False
    if child == 0:
        try:
            kernel.tmpfs(SCRATCH, kernel.MS_NOEXEC, "size=64k")
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def _enter(setting: Setting) -> None:
    uid, gid = os.geteuid(), os.getegid()
    if uid == 0:
        kernel.unshare(OWN)
    else:
        kernel.unshare(OWN | kernel.CLONE_NEWUSER)
        for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
    socket.sethostname("jail")
    kernel.mount(None, "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    _build_root(setting)
    os.chdir(NEW_ROOT)
    kernel.call("pivot_root", b".", b".")
    kernel.unmount(".")
    os.chdir("/")
    kernel.make_read_only("/")


def _build_root(setting: Setting) -> None:
    """The new root below NEW_ROOT. Sources are opened first: they may lie in what NEW_ROOT covers."""
    sources = [(os.open(source, os.O_PATH), os.path.isdir(source), target) for source, target in setting.binds]
    kernel.tmpfs(NEW_ROOT)
    for target in (SUBMISSION, SCRATCH, PACKAGES):
        os.makedirs(NEW_ROOT + target, exist_ok=True)
    for target, path in setting.links:
        os.makedirs(os.path.dirname(NEW_ROOT + path), exist_ok=True)
        os.symlink(target, NEW_ROOT + path)
    for place, is_folder, target in sources:
        _make_target(NEW_ROOT + target, is_folder)
        kernel.mount(f"/proc/self/fd/{place}", NEW_ROOT + target, None, kernel.MS_BIND | kernel.MS_REC)
        os.close(place)
    cover([NEW_ROOT + path for path in setting.covers])


def _make_target(path: str, is_folder: bool) -> None:
    if is_folder:
        os.makedirs(path, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if not os.path.exists(path):
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o644))


def cover(paths: Sequence[str]) -> None:
    """Let these folders look empty."""
    for path in paths:
        if os.path.isdir(path):
            kernel.tmpfs(path, kernel.MS_RDONLY)
