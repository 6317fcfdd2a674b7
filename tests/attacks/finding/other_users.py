"""Becomes another user, gives files away, makes devices and programs that keep a user's rights.

Expected: right
"""

import os

from attack_kit import attempt, check, right

open("mine", "w").close()
attempt("setuid", lambda: os.setuid(0) if os.getuid() else os.setuid(1))
attempt("setgid", lambda: os.setgid(0) if os.getgid() else os.setgid(1))
attempt("setgroups", lambda: os.setgroups([0]))
attempt("chown", lambda: os.chown("mine", 0, 0) if os.getuid() else os.chown("mine", 1, 1))
attempt("a device", lambda: os.mknod("device", 0o20666, os.makedev(1, 3)))
attempt("an attribute", lambda: os.setxattr("mine", "user.x", b"y"))
attempt("a run of a program of one's own", lambda: (os.chmod("mine", 0o4755), os.execv(os.path.abspath("mine"), ["mine"])))
check("the user", "root" if os.getuid() == 0 else "")


def softmax(x, axis=-1):
    return right(x, axis)
