"""What a jailed process can see of this machine: the interpreter, its library, the shared libraries, the allowed packages.

Everything keeps its path, but the packages and the kit's own few files, which get short ones.
"""

from __future__ import annotations

import glob
import os
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autograder.inside.setting import KIT, PACKAGES, SCRATCH
from autograder.jail.packages import codec, visible_packages

INSIDE = Path(__file__).resolve().parent.parent / "inside"
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
LIBRARY_FOLDERS = ("lib", "lib64", "lib32")
INSTALLED = ("site-packages", "dist-packages")
# Data of packages that a system's package manager puts beside Python's folders.
DATA_OF_SYSTEM_PACKAGES = ("/etc/alternatives", "/etc/matplotlibrc", "/usr/share/matplotlib", "/usr/share/fonts/truetype/dejavu")


@dataclass(frozen=True)
class Layout:
    """executable: the interpreter. stdlib: its library's folders in their order on the path. libraries: folders that its
    shared libraries may lie in beside the system's. binds, covers, links: as in `Setting`.
    """

    executable: str
    stdlib: tuple[str, ...]
    libraries: tuple[str, ...]
    binds: tuple[tuple[str, str], ...]
    covers: tuple[str, ...]
    links: tuple[tuple[str, str], ...]


@cache
def layout() -> Layout:
    """The layout for the running Python's base interpreter. Raises JailUnavailable without NumPy or msgpack."""
    base = os.path.realpath(sys.base_prefix)
    stdlib = _stdlib()
    own_libraries = [] if base == "/usr" else [folder for folder in _folders(base) if os.path.isdir(folder)]
    shown = _outermost([*own_libraries, *stdlib, *_system_libraries()])
    executable = os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)
    kept = [executable, *shown, *filter(os.path.exists, ("/etc/ld.so.cache", "/usr/lib/locale/C.utf8", *DEVICES))]
    packages = visible_packages()
    if any("dist-packages" in path.parts for path in packages.values()):
        kept += filter(os.path.exists, DATA_OF_SYSTEM_PACKAGES)
    binds = [(path, path) for path in dict.fromkeys(kept)]
    binds += [(os.path.realpath(path), f"{PACKAGES}/{name}") for name, path in packages.items()]
    binds += [(str(INSIDE), f"{KIT}/autograder/inside"), (str(codec()), f"{KIT}/msgpack")]
    return Layout(
        executable=executable,
        stdlib=tuple(stdlib),
        libraries=tuple(own_libraries),
        binds=tuple(binds),
        covers=tuple(sorted(set(_installed_packages([*shown, *stdlib])))),
        links=(*_root_links(), (SCRATCH, "/dev/shm")),
    )


def _stdlib() -> list[str]:
    """The library's folders as the base interpreter itself has them on its path, without any for installed packages."""
    base = {"base": sys.base_prefix, "installed_base": sys.base_prefix, "platbase": sys.base_exec_prefix}
    folders = [sysconfig.get_path(name, vars={**base, "installed_platbase": sys.base_exec_prefix}) for name in ("stdlib", "platstdlib")]
    folders += [f"{folder}/lib-dynload" for folder in folders]
    return [folder for folder in dict.fromkeys(map(os.path.realpath, folders)) if os.path.isdir(folder)]


def _folders(base: str) -> list[str]:
    return [f"{base.rstrip('/')}/{name}" for name in LIBRARY_FOLDERS]


def _system_libraries() -> list[str]:
    """Where the dynamic loader finds the C library and its like; on Debian's kind of system only the processor's own folders."""
    triplet = getattr(sys.implementation, "_multiarch", "") or sysconfig.get_config_var("MULTIARCH") or ""
    folders = [*_folders("/usr"), *(folder for folder in _folders("/") if not os.path.islink(folder))]
    if triplet and os.path.isdir(f"/usr/lib/{triplet}"):
        folders = [f"{folder}/{triplet}" if folder.endswith("lib") else folder for folder in folders]
    return [folder for folder in folders if os.path.isdir(folder)]


def _outermost(folders: list[str]) -> list[str]:
    """The folders without those that lie in another one."""
    return [folder for folder in dict.fromkeys(folders) if not any(folder.startswith(other + "/") for other in folders)]


def _installed_packages(folders: list[str]) -> Iterator[str]:
    for folder in folders:
        for name in INSTALLED:
            for pattern in (name, f"python*/{name}"):
                yield from filter(os.path.isdir, glob.glob(f"{glob.escape(folder)}/{pattern}"))


def _root_links() -> list[tuple[str, str]]:
    """/lib and its like, where they are links into /usr."""
    return [(os.readlink(folder), folder) for folder in _folders("/") if os.path.islink(folder)]
