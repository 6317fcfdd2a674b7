"""How a template process is started for each kind of jail: its command, its environment, its setting."""

from __future__ import annotations

import math
import os
import platform
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from autograder.inside.family import processes_of_user
from autograder.inside.setting import KIT, SCRATCH, SUBMISSION, Setting
from autograder.jail.errors import JailUnavailable
from autograder.jail.layout import INSIDE, Layout, layout
from autograder.limits import Limits

KINDS = ("bubblewrap", "landlock", "none")
NAMESPACES = {"bubblewrap": "given", "landlock": "make", "none": "none"}
WORKER = "autograder.inside.worker"
# What a template imports for all of its jobs; `DRAWING` for those that draw, which takes longer than all else that they do.
DRAWING = ("matplotlib.pyplot", "matplotlib.backends.backend_agg")
PRELOAD = ("numpy", "numpy.linalg", "numpy.random", "numpy.fft", "numpy.ma")
# What T needs of root's rights under bubblewrap: mounts and namespaces for each job, and another user for it.
CAPABILITIES_OF_ROOT = ("SYS_ADMIN", "SETUID", "SETGID", "SETPCAP", "KILL", "CHOWN", "DAC_READ_SEARCH")
CAPABILITIES_OF_USER = ("SYS_ADMIN", "SETPCAP")
# Of the environment only what makes NumPy's arithmetic work on this processor comes along.
ALONG = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "NVPL_BLAS_DEBUG_CPU_TYPE")
FIRST_UID, UIDS_EACH, PROCESS_IDS = 0x7000_0000, 64, 1 << 22  # a range that systemd's documentation lists as unused
SPARE_CPU_SECONDS = 5
START = (
    "import sys; sys.dont_write_bytecode = True; sys.path.insert(0, {folder!r}); "
    "from autograder.inside.template import main; main({control})"
)


def environment() -> dict[str, str]:
    """The environment that student code sees, HOME and its like apart, which are its scratch folder."""
    one_thread = {f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL", "NUMEXPR")}
    # Large arrays from the heap, where the next one finds memory that is there already.
    plain = {"MALLOC_MMAP_THRESHOLD_": str(4 << 20), "MALLOC_TRIM_THRESHOLD_": str(32 << 20), "LD_BIND_NOW": "1"}
    plain |= {"LANG": "C.UTF-8", "PATH": "", "MPLBACKEND": "Agg", "MALLOC_ARENA_MAX": "2", "PYTHONDONTWRITEBYTECODE": "1"}
    along = {name: os.environ[name] for name in ALONG if name in os.environ}
    libraries = {"LD_LIBRARY_PATH": ":".join(layout().libraries)} if layout().libraries else {}
    return {**plain, **one_thread, **along, **libraries}


def command(kind: str, worker: Path | None, control: int) -> list[str]:
    """The command line of a template with its control channel at the descriptor `control`.

    Raises JailUnavailable where bubblewrap is not installed.
    """
    shown = layout()
    python = [shown.executable, "-I", "-S", "-B", "-X", "utf8", "-c"]
    if kind != "bubblewrap":
        return [*python, START.format(folder=str(INSIDE.parent.parent), control=control)]
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise JailUnavailable("bubblewrap is not installed: install your system's package `bubblewrap`")
    return [bwrap, *_bubblewrap(shown, worker), "--", *python, START.format(folder=KIT, control=control)]


def _bubblewrap(shown: Layout, worker: Path | None) -> list[str]:
    root = os.geteuid() == 0
    options = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    options += ["--hostname", "jail", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    options += [part for name, value in environment().items() for part in ("--setenv", name, value)]
    options += [part for name in (CAPABILITIES_OF_ROOT if root else CAPABILITIES_OF_USER) for part in ("--cap-add", f"CAP_{name}")]
    visible = binds(shown, worker)
    for folder in _parents([path for _, path in [*visible, *shown.links]]):
        options += ["--dir", folder]  # bubblewrap would make it for itself alone, and jobs run as other users
    for target, path in shown.links:
        options += ["--symlink", target, path]
    for source, target in visible:
        options += ["--dev-bind" if source.startswith("/dev/") else "--ro-bind", source, target]
    for path in shown.covers:
        options += ["--tmpfs", path, "--remount-ro", path]
    options += ["--proc", "/proc", "--dir", SUBMISSION, "--dir", SCRATCH, "--remount-ro", "/", "--chdir", "/"]
    return options


def _parents(paths: Sequence[str]) -> list[str]:
    """All folders above the paths, outer ones first, without the root."""
    return sorted({str(parent) for path in paths for parent in Path(path).parents} - {"/"})


def binds(shown: Layout, worker: Path | None) -> list[tuple[str, str]]:
    """What is visible, with another worker than the kit's own where a test or a check brings one."""
    return [*shown.binds, *([] if worker is None else [(str(worker), f"{KIT}/{worker.name}")])]


def setting(kind: str, limits: Limits, worker: Path | None, preload: Sequence[str], process: int) -> Setting:
    """The setting of a template. process: its process id, from which its own range of user ids comes."""
    shown = layout()
    return Setting(
        namespaces=NAMESPACES[kind],
        confine=kind != "none",
        binds=binds(shown, worker),
        covers=list(shown.covers),
        links=list(shown.links),
        stdlib=list(shown.stdlib),
        worker=WORKER if worker is None else worker.stem,
        preload=list(preload),
        environment=environment(),
        temporary=tempfile.gettempdir(),
        uids=(FIRST_UID + process % PROCESS_IDS * UIDS_EACH, UIDS_EACH) if os.geteuid() == 0 and kind != "none" else None,
        memory=limits.memory,
        cpu_seconds=math.ceil(limits.submission_seconds) + SPARE_CPU_SECONDS,
        processes=limits.processes,
        others=processes_of_user() if _counts_users_as_one() else 0,
        open_files=limits.open_files,
        scratch=limits.scratch,
    )


def _counts_users_as_one() -> bool:
    """Before Linux 5.14 a process limit counted all of a user's processes, those outside of the jail too."""
    major, minor = (int("".join(filter(str.isdigit, part)) or 0) for part in platform.release().split(".")[:2])
    return (major, minor) < (5, 14)
