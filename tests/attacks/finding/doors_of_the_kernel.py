"""Makes the system calls that open a way out or wear the kernel down: namespaces, mounts, keys, rings, tracing, modules.

Expected: right
"""

import ctypes
import platform

from attack_kit import attempt, check, right

libc = ctypes.CDLL(None, use_errno=True)
REFUSED = {1, 13, 38}  # EPERM, EACCES, ENOSYS
CALLS = {  # on x86-64
    "ptrace": (101, 0, 0, 0, 0),
    "mount": (165, b"none", b"/", b"tmpfs", 0, 0),
    "umount2": (166, b"/", 0),
    "pivot_root": (155, b"/", b"/"),
    "chroot": (161, b"/"),
    "unshare": (272, 0x10000000),
    "setns": (308, 0, 0),
    "add_key": (248, b"user", b"name", b"x", 1, -3),
    "request_key": (249, b"user", b"name", 0, 0),
    "keyctl": (250, 0, -3, 1),
    "inotify_init": (253,),
    "inotify_init1": (294, 0),
    "fanotify_init": (300, 0, 0),
    "perf_event_open": (298, 0, 0, -1, -1, 0),
    "open_by_handle_at": (304, -100, 0, 0),
    "kcmp": (312, 1, 1, 0, 0, 0),
    "memfd_create": (319, b"x", 0),
    "bpf": (321, 0, 0, 0),
    "userfaultfd": (323, 0),
    "io_uring_setup": (425, 1, 0),
    "open_tree": (428, -100, b"/", 1),
    "fsopen": (430, b"tmpfs", 0),
    "pidfd_open": (434, 1, 0),
    "clone3": (435, 0, 0),
    "pidfd_getfd": (438, 0, 0, 0),
    "memfd_secret": (447, 0),
    "shmget": (29, 4711, 4096, 0o1666),
    "semget": (64, 4711, 1, 0o1666),
    "msgget": (68, 4711, 0o1666),
    "mq_open": (240, b"attack", 0o102, 0o666, 0),
    "setsid": (112,),
    "setpgid": (109, 0, 0),
    "personality": (135, 0x0040000),
    "iopl": (172, 3),
    "init_module": (175, 0, 0, b""),
    "kexec_load": (246, 0, 0, 0, 0),
    "swapon": (167, b"/", 0),
    "acct": (163, b"/scratch/x"),
    "mknod": (133, b"device", 0o20666, 0x103),
    "newer than the list": (500,),
    "another calling convention": (0x40000000 + 39,),
}


def call(number, *arguments):
    ctypes.set_errno(0)
    result = libc.syscall(number, *arguments)
    error = ctypes.get_errno()
    if result >= 0 or error not in REFUSED:
        return result, error
    raise OSError(error, "refused")


if platform.machine() == "x86_64":
    for name, arguments in CALLS.items():
        attempt(name, lambda: call(*arguments))
check("an attempt was made", False)


def softmax(x, axis=-1):
    return right(x, axis)
