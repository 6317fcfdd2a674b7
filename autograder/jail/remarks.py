"""What is said about a jail: what it cannot promise on this machine, and what to do where none works."""

from __future__ import annotations

from autograder.inside.setting import NO_FAMILY, NO_LANDLOCK, NO_NAMESPACES, NO_SECCOMP, NO_USER

REMARKS = {
    NO_NAMESPACES: "No namespaces here: student code cannot read or change files outside, but it can find out whether a file of a "
    "given name exists, and how large it is; the size of the scratch folder is looked at ten times a second rather than fixed.",
    NO_LANDLOCK: "The kernel has no Landlock: the file system is guarded by bubblewrap's namespaces alone.",
    NO_SECCOMP: "System calls are not filtered on this kernel or processor: the kernel itself is less guarded.",
    NO_USER: "Student code runs as your own user: its processes count together with yours.",
    NO_FAMILY: "The kernel does not list children of processes: memory is limited for each process, not for all of them together.",
}
UNCONFINED = "Student code ran unconfined, with the rights of the user who graded."
NEEDS_LINUX = "student code can be run on Linux only, and this is {platform}: run the grader in a Linux container or virtual machine"
WAY_OUT = (
    "Install bubblewrap (Debian, Ubuntu, Fedora, Arch: the package `bubblewrap`), or use Linux 5.13 or newer with Landlock; "
    "on another system run the grader in a Linux container or virtual machine. `--jail none` runs student code unconfined."
)
HINTS = {  # part of bubblewrap's own words -> what to do
    "uid map": "the system forbids user namespaces: allow them to bwrap (on Ubuntu by an AppArmor profile)",
    "new namespace": "the system forbids namespaces: allow them (in a container: start it with more rights)",
}
