"""The system-call filter of a jailed process, as a classic BPF program written here and handed to the kernel.

It refuses what no exercise needs and what widens the kernel's surface or leaves something behind. The rest works:
threads, forks, files. No process leaves its group and session, so that they can be killed, and scheduled, as one.
Source: the kernel's Documentation/userspace-api/seccomp_filter.rst.
"""

from __future__ import annotations

import ctypes
import struct
from functools import cache

from . import kernel, syscalls

ALLOW, KILL, ERROR = 0x7FFF0000, 0x80000000, 0x00050000
EPERM, ENOSYS, DONE = 1, 38, 0
LOAD, MASK, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
SET_MODE_FILTER, GET_ACTION_AVAILABLE = 1, 2

NAMESPACE_FLAGS = 0x7E020000
AF_UNIX, SOCK_STREAM, SOCK_TYPE_MASK = 1, 1, 0xF
# ioctl requests that push keys into a terminal or name a process to be signalled; fcntl commands of that kind.
TIOCSTI, TIOCLINUX, FIOSETOWN, SIOCSPGRP = 0x5412, 0x541C, 0x8901, 0x8902
F_SETOWN, F_SETSIG, F_SETOWN_EX = 8, 10, 15

REFUSED_BY_PURPOSE = {
    "the network; a pair of connected sockets can be had": "socket connect bind listen accept accept4 sendmmsg",
    "other processes": "ptrace process_vm_readv process_vm_writev process_madvise process_mrelease kcmp get_robust_list"
    " pidfd_open pidfd_getfd pidfd_send_signal rt_sigqueueinfo rt_tgsigqueueinfo"
    " setpriority sched_setparam sched_setscheduler sched_setattr ioprio_set",
    "leaving the group": "setsid setpgid",
    "namespaces and mounts": "unshare setns mount umount2 move_mount mount_setattr fsopen fsconfig fsmount fspick open_tree"
    " pivot_root chroot",
    "much of the kernel": "bpf userfaultfd perf_event_open seccomp io_uring_setup io_uring_enter io_uring_register"
    " add_key request_key keyctl name_to_handle_at open_by_handle_at lookup_dcookie remap_file_pages"
    " iopl ioperm modify_ldt uselib ustat sysfs _sysctl personality",
    "memory that no limit counts, or that stays": "memfd_create memfd_secret shmget shmat shmctl shmdt msgget msgsnd msgrcv msgctl"
    " semget semop semctl semtimedop mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr"
    " migrate_pages move_pages mbind set_mempolicy set_mempolicy_home_node",
    "what others do with files": "inotify_init inotify_init1 inotify_add_watch fanotify_init fanotify_mark sync syncfs",
    "devices, owners and attributes of files": "mknod mknodat chown fchown lchown fchownat setxattr lsetxattr fsetxattr"
    " removexattr lremovexattr fremovexattr",
    "the machine": "acct quotactl quotactl_fd reboot swapon swapoff kexec_load kexec_file_load init_module finit_module delete_module"
    " settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname vhangup syslog",
}
REFUSED = [name for names in REFUSED_BY_PURPOSE.values() for name in names.split()]
# Without mounts of its own a jailed process shares the user's files, whose modes and times Landlock does not guard.
CHANGES_FILES_UNSEEN = ("chmod", "fchmod", "fchmodat", "utime", "utimes", "utimensat", "futimesat")


def signals_need_it(alone: bool, landlock: int) -> bool:
    """Whether nothing but this filter keeps a process from signalling others of the same user."""
    return not alone and landlock < 6


def available() -> bool:
    """Whether this kernel filters system calls, and this processor is one that the filter knows."""
    if syscalls.COLUMN < 0:
        return False
    action = ctypes.c_uint32(ERROR)
    try:
        kernel.call("seccomp", GET_ACTION_AVAILABLE, 0, ctypes.byref(action))
    except OSError:
        return False
    return True


def restrict(*, alone: bool, landlock: int, pid: int) -> None:
    """From now on this process and its children make harmless system calls only.

    alone: it has a process namespace and mounts of its own. landlock: the version in force, 0 for none. pid: its own.
    Needs no_new_privs. OSError where the kernel refuses.
    """
    code = program(alone=alone, landlock=landlock, pid=pid if signals_need_it(alone, landlock) else 0)
    buffer = ctypes.create_string_buffer(code, len(code))
    filter_program = ctypes.create_string_buffer(struct.pack("@HP", len(code) // 8, ctypes.addressof(buffer)))
    kernel.call("seccomp", SET_MODE_FILTER, 0, filter_program)


@cache
def program(*, alone: bool, landlock: int, pid: int) -> bytes:
    """The filter's instructions, eight bytes each. Raises OSError where the processor is not known."""
    if syscalls.COLUMN < 0:
        raise OSError(f"no system-call filter for the processor {syscalls.MACHINE}")
    code = [
        _step(LOAD, ARCHITECTURE),
        _step(EQUAL, syscalls.AUDIT_ARCH[syscalls.MACHINE], 1, 0),
        _step(RETURN, KILL),
        _step(LOAD, NUMBER),
        # Calls of another calling convention, and calls newer than this list: as if the kernel had none.
        _step(AT_LEAST, syscalls.NEWEST_KNOWN + 1, 0, 1),
        _step(RETURN, ERROR | ENOSYS),
        *_answer("clone3", ENOSYS),  # its flags lie in memory, where no filter sees them; libraries fall back on clone
    ]
    refused = list(REFUSED)
    if not alone:
        for name in CHANGES_FILES_UNSEEN:
            code += _answer(name, DONE)  # shutil.copy and its like go on, nothing is changed
    if landlock < 3:
        refused.append("truncate")
    for name in refused:
        code += _answer(name, EPERM)
    code += _unless("clone", 0, [_step(ANY_BIT, NAMESPACE_FLAGS, 0, 1), _step(RETURN, ERROR | EPERM)])
    code += _only("prlimit64", 0, 0)
    code += _only("sched_setaffinity", 0, 0)
    code += _forbid("ioctl", 1, TIOCSTI, TIOCLINUX, FIOSETOWN, SIOCSPGRP)
    code += _forbid("fcntl", 1, F_SETOWN, F_SETSIG, F_SETOWN_EX)
    code += _only("socketpair", 0, AF_UNIX)
    code += _unless("socketpair", 1, [_step(MASK, SOCK_TYPE_MASK), _step(EQUAL, SOCK_STREAM, 1, 0), _step(RETURN, ERROR | EPERM)])
    if signals_need_it(alone, landlock):
        code += _only("kill", 0, 0, pid, -pid & 0xFFFFFFFF)
        code += _only("tgkill", 0, pid)
        code += _answer("tkill", EPERM)
    code.append(_step(RETURN, ALLOW))
    return b"".join(code)


def _step(operation: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", operation, if_true, if_false, value)


def _answer(name: str, error: int) -> list[bytes]:
    """The call `name` is not made; its caller gets `error`, where 0 looks like success."""
    number = syscalls.number(name)
    return [] if number < 0 else [_step(EQUAL, number, 0, 1), _step(RETURN, ERROR | error)]


def _unless(name: str, argument: int, steps: list[bytes]) -> list[bytes]:
    """For the call `name`: load the low half of an argument and take the steps, then go on with the call's number loaded."""
    number = syscalls.number(name)
    if number < 0:
        return []
    body = [_step(LOAD, ARGUMENTS + 8 * argument), *steps, _step(LOAD, NUMBER)]
    return [_step(EQUAL, number, 0, len(body)), *body]


def _only(name: str, argument: int, *values: int) -> list[bytes]:
    """The call `name` is refused unless its argument is one of the values."""
    steps = [_step(EQUAL, value, len(values) - i, 0) for i, value in enumerate(values)]
    return _unless(name, argument, [*steps, _step(RETURN, ERROR | EPERM)])


def _forbid(name: str, argument: int, *values: int) -> list[bytes]:
    """The call `name` is refused where its argument is one of the values."""
    steps = [part for value in values for part in (_step(EQUAL, value, 0, 1), _step(RETURN, ERROR | EPERM))]
    return _unless(name, argument, steps)
