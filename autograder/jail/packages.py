"""Which installed packages student code may import, and where they lie. Only these are shown in the jail, one by one."""

from __future__ import annotations

import csv
import importlib.util
import re
from collections.abc import Iterator
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

from autograder.jail.errors import JailUnavailable

OFFERED = ("numpy", "matplotlib", "scipy")
# Debian's matplotlib does not say what it requires.
UNSAID = {"matplotlib": ("contourpy", "cycler", "fonttools", "kiwisolver", "packaging", "pillow", "pyparsing", "python-dateutil", "six")}
# Never shown, whatever a package asks for: the kit itself, its tools, and names that belong to students.
NEVER = frozenset({"autograder", "solutions", "exercises", "tests", "pytest", "_pytest", "nbgrader", "msgpack"})


@cache
def visible_packages() -> dict[str, Path]:
    """Top-level entry (a package, a module, a folder of libraries) -> where it is installed.

    NumPy, matplotlib and SciPy as far as they are installed, with what they require. Raises JailUnavailable without NumPy.
    """
    found: dict[str, Path] = {}
    done: set[str] = set()
    left = list(OFFERED)
    while left:
        name = _normal(left.pop(0))
        if name in done:
            continue
        done.add(name)
        try:
            installed = distribution(name)
        except PackageNotFoundError:
            continue
        for entry in _top_level(installed):
            path = Path(str(installed.locate_file(entry)))
            if entry not in NEVER and path.exists():
                found.setdefault(entry, path)
        left += [*_required(installed)] or UNSAID.get(name, ())
    if "numpy" not in found:
        raise JailUnavailable("NumPy is not installed for this Python: pip install numpy")
    return found


def codec() -> Path:
    """Where msgpack lies: the kit's own side of the wire needs it in the jail, student code does not see it."""
    spec = importlib.util.find_spec("msgpack")
    if spec is None or not spec.submodule_search_locations:
        raise JailUnavailable("msgpack is not installed for this Python: pip install msgpack")
    return Path(spec.submodule_search_locations[0])


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _required(installed: Distribution) -> Iterator[str]:
    for text in installed.requires or ():
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield requirement.name


def _top_level(installed: Distribution) -> list[str]:
    """First parts of the paths of what a distribution installed beside other packages."""
    record = installed.read_text("RECORD")
    if record is None:  # the system's own package manager keeps its lists elsewhere
        names = (installed.read_text("top_level.txt") or installed.metadata["Name"]).split()
        return [entry for name in names for entry in (name, f"{name}.py", f"{name}.libs")]
    first_parts = {row[0].split("/")[0] for row in csv.reader(record.splitlines()) if row}
    return sorted(part for part in first_parts if part not in ("", "..", "__pycache__") and not part.endswith(".pth"))
