"""The few system calls that Python does not offer, by ctypes. Template, keeper and jailed process make them; all raise OSError."""

from __future__ import annotations

import ctypes
import os
from functools import cache
from typing import Any

from . import syscalls

CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC = 0x00020000, 0x02000000, 0x04000000, 0x08000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_NOATIME = 1, 2, 4, 8, 32, 1024
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
MNT_DETACH = 2
AT_FDCWD, AT_RECURSIVE = -100, 0x8000
MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID = 1, 2
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_KEEPCAPS = 1, 4, 8
PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 22, 24, 36, 38, 47
PR_CAP_AMBIENT_RAISE, PR_CAP_AMBIENT_CLEAR_ALL = 2, 4
CAP_DAC_READ_SEARCH, LAST_CAPABILITY = 2, 63
CAPABILITY_VERSION_3 = 0x20080522


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def call(name: str, *arguments: Any) -> int:
    """One system call by its name; integers, bytes, ctypes buffers or None as arguments."""
    number = syscalls.number(name)
    if number < 0:
        raise OSError(f"the system call {name} is not known for {syscalls.MACHINE} here")
    return _checked(name, _libc().syscall(ctypes.c_long(number), *map(_argument, arguments)))


def _argument(value: Any) -> Any:
    return ctypes.c_long(value) if isinstance(value, int) else value


def _checked(name: str, result: int) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")
    return result


def prctl(option: int, argument: int = 0, other: int = 0) -> int:
    """prctl(2) with up to two arguments."""
    return call("prctl", option, argument, other, 0, 0)


def unshare(flags: int) -> None:
    """unshare(2)."""
    call("unshare", flags)


def fork_with(flags: int) -> int:
    """Fork, into new namespaces where `flags` has some: the child's process id, and 0 in the child.

    A raw clone(2), so that the child may be the first process of a process namespace. The caller has one thread only.
    """
    sigchld = 17
    return call("clone", flags | sigchld, 0, 0, 0, 0)


def mount(source: str | None, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    """mount(2)."""
    call("mount", _bytes(source), _bytes(target), _bytes(kind), flags, _bytes(options))


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else os.fsencode(text)


def unmount(target: str) -> None:
    """Take a mount away, whatever still uses it."""
    call("umount2", os.fsencode(target), MNT_DETACH)


def tmpfs(target: str, flags: int = 0, options: str = "mode=0755") -> None:
    """An empty file system in memory."""
    mount("tmpfs", target, "tmpfs", MS_NOSUID | MS_NODEV | flags, options)


def make_tmpfs_read_only(target: str) -> None:
    """Nothing can be written to this file system in memory any more."""
    mount(None, target, None, MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC)


def make_read_only(target: str) -> None:
    """Everything mounted at and below `target` becomes read-only."""
    attributes = (ctypes.c_uint64 * 4)(MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID, 0, 0, 0)
    call("mount_setattr", AT_FDCWD, os.fsencode(target), AT_RECURSIVE, attributes, ctypes.sizeof(attributes))


def bound_capabilities(kept: int) -> None:
    """No program that is started from here on can have a capability that is not in the bit mask `kept`."""
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    for capability in range(LAST_CAPABILITY + 1):
        if not kept >> capability & 1:
            try:
                prctl(PR_CAPBSET_DROP, capability)
            except OSError:  # past the last one that this kernel has, or without CAP_SETPCAP, where no_new_privs must do
                pass


def keep_capabilities(kept: int) -> None:
    """Give up all capabilities but those of the bit mask `kept`, which programs that are started later keep too."""
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    call("capset", header, (ctypes.c_uint32 * 6)(kept, kept, kept, 0, 0, 0))
    for capability in range(32):
        if kept >> capability & 1:
            prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability)
