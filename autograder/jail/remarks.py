"""What is said about a jail: what it cannot promise on this machine, and what to do where none works."""

from __future__ import annotations

from autograder.inside.setting import NO_FAMILY, NO_LANDLOCK, NO_NAMESPACES, NO_SECCOMP, NO_USER
from autograder.language import Text

REMARKS = {
    NO_NAMESPACES: Text(
        "No namespaces here: student code cannot read or change files outside, but it can find out whether a file of a given name "
        "exists, and how large it is; the size of the scratch folder is looked at ten times a second rather than fixed.",
        "这台机器上没有命名空间：学生代码不能读取或修改外面的文件，但能得知某个名字的文件是否存在、有多大；临时文件夹的大小是每秒检查十次，而不是固定的。",
    ),
    NO_LANDLOCK: Text(
        "The kernel has no Landlock: the file system is guarded by bubblewrap's namespaces alone.",
        "内核没有 Landlock：文件系统只由 bubblewrap 的命名空间保护。",
    ),
    NO_SECCOMP: Text(
        "System calls are not filtered on this kernel or processor: the kernel itself is less guarded.",
        "这个内核或处理器上没有系统调用过滤：内核本身的防护较弱。",
    ),
    NO_USER: Text(
        "Student code runs as your own user: its processes count together with yours.",
        "学生代码以你自己的用户身份运行：它的进程与你的进程合在一起计数。",
    ),
    NO_FAMILY: Text(
        "The kernel does not list children of processes: memory is limited for each process, not for all of them together.",
        "内核不列出进程的子进程：内存限制针对每个进程，而不是所有进程合计。",
    ),
}
UNCONFINED = Text(
    "Student code ran unconfined, with the rights of the user who graded.",
    "学生代码不受任何限制地运行，拥有评分者的全部权限。",
)
NEEDS_LINUX = "student code can be run on Linux only, and this is {platform}: run the grader in a Linux container or virtual machine"
WAY_OUT = (
    "Install bubblewrap (Debian, Ubuntu, Fedora, Arch: the package `bubblewrap`), or use Linux 5.13 or newer with Landlock; "
    "on another system run the grader in a Linux container or virtual machine. `--jail none` runs student code unconfined."
)
HINTS = {  # part of bubblewrap's own words -> what to do
    "uid map": "the system forbids user namespaces: allow them to bwrap (on Ubuntu by an AppArmor profile)",
    "new namespace": "the system forbids namespaces: allow them (in a container: start it with more rights)",
}
