"""Landlock: the kernel's own way for a process to give up the file system, TCP, foreign signals and abstract sockets.

Source: the kernel's Documentation/userspace-api/landlock.rst. The keeper makes the rules, the jailed process puts itself under them.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Sequence

from . import kernel

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
MAKE_CHAR, MAKE_SOCK, MAKE_BLOCK, IOCTL_DEV = 1 << 6, 1 << 9, 1 << 11, 1 << 15
TRUNCATE = 1 << 14
FOR_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
READ = EXECUTE | READ_FILE | READ_DIR
# The number of file-system rights that each version of the interface knows.
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
TCP_BIND_AND_CONNECT = 3
SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS = 3
CREATE_VERSION, RULE_PATH_BENEATH = 1, 1


def version() -> int:
    """The version of the kernel's Landlock interface; 0 where there is none or it is switched off."""
    try:
        return kernel.call("landlock_create_ruleset", None, 0, CREATE_VERSION)
    except OSError:
        return 0


def rules(abi: int, readable: Sequence[str], writable: Sequence[str], devices: Sequence[str]) -> int:
    """A descriptor of rules: who restricts itself to them may read `readable`, use the folders `writable`, and nothing else.

    abi: what `version` said. devices: files such as /dev/null that may be read and written. OSError where the kernel refuses.
    """
    handled = (1 << RIGHTS.get(abi, RIGHTS[5])) - 1
    attributes = struct.pack("=QQQ", handled, TCP_BIND_AND_CONNECT, SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS)
    size = 8 if abi < 4 else 16 if abi < 6 else 24
    ruleset = kernel.call("landlock_create_ruleset", attributes[:size], size, 0)
    in_scratch = handled & ~(MAKE_CHAR | MAKE_BLOCK | MAKE_SOCK | IOCTL_DEV)
    for paths, rights in ((readable, READ), (writable, in_scratch), (devices, READ_FILE | WRITE_FILE)):
        for path in paths:
            _allow(ruleset, path, rights & handled)
    return ruleset


def restrict(ruleset: int) -> None:
    """From now on these rules hold for this process and its children. OSError where the kernel refuses."""
    kernel.call("landlock_restrict_self", ruleset, 0)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not os.path.isdir(path):
            rights &= FOR_FILES
        rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, place), 12)
        kernel.call("landlock_add_rule", ruleset, RULE_PATH_BENEATH, rule, 0)
    finally:
        os.close(place)
