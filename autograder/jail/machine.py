"""Which jails hold on this machine, by trying them: for `autograder doctor` and for the choice before grading."""

from __future__ import annotations

import os
import select
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autograder.inside import selfcheck
from autograder.jail.errors import JailUnavailable
from autograder.jail.launch import KINDS, PRELOAD
from autograder.jail.remarks import HINTS, NEEDS_LINUX, WAY_OUT
from autograder.jail.template import Template
from autograder.limits import DEFAULT

CHECK_SECONDS = 30.0
AUTO = ("bubblewrap", "landlock")


@dataclass(frozen=True)
class JailReport:
    """Whether a jail works here; remarks: why not, or what it cannot promise here."""

    name: str
    works: bool
    remarks: tuple[str, ...] = ()


def probe() -> list[JailReport]:
    """Try both jails, with NumPy in them."""
    return [_try(kind, preload=True) for kind in AUTO]


def choose(kind: str) -> str:
    """The jail to use for `kind`: "auto" is bubblewrap where it works, else Landlock; a name is itself where it works.

    Raises JailUnavailable, with the reasons and the way out, where it does not.
    """
    if kind == "none":
        if sys.platform != "linux":
            raise JailUnavailable(NEEDS_LINUX.format(platform=sys.platform))
        return kind
    if kind != "auto" and kind not in KINDS:
        raise JailUnavailable(f"there is no jail {kind!r}; there are: auto, {', '.join(KINDS)}")
    reports = []
    for name in AUTO if kind == "auto" else (kind,):
        report = _quick(name)
        if report.works:
            return name
        reports.append(f"{name}: {' '.join(report.remarks)}")
    raise JailUnavailable("No jail for student code works here.\n" + "\n".join(reports) + f"\n{WAY_OUT}")


@cache
def _quick(kind: str) -> JailReport:
    return _try(kind, preload=False)


def _try(kind: str, *, preload: bool) -> JailReport:
    try:
        with Template(kind, DEFAULT, worker=Path(selfcheck.__file__), preload=PRELOAD if preload else ()) as template:
            remarks = template.remarks()
            broken = _check(template)
    except JailUnavailable as error:
        hint = next((f" ({hint})" for sign, hint in HINTS.items() if sign in str(error).lower()), "")
        return JailReport(kind, False, (f"{error}{hint}",))
    if broken:
        return JailReport(kind, False, tuple(broken))
    return JailReport(kind, True, remarks)


def _check(template: Template) -> list[str]:
    """What of the promises did not hold when tried."""
    outside = [__file__, "/etc/passwd", os.path.expanduser("~/.profile")]
    setup = {"outside": [path for path in outside if os.path.exists(path)], "grader": os.getpid()}
    worker = template.spawn({"exercises/softmax.py": b""}, setup)
    answer = bytearray()
    try:
        worker.connection.settimeout(CHECK_SECONDS)
        while chunk := worker.connection.recv(4096):
            answer += chunk
        select.select([worker.fileno_of_death()], [], [], CHECK_SECONDS)
    except OSError as error:
        return [f"the check did not end ({error})"]
    finally:
        ending = worker.close()
    if ending.exit_code != 0:
        return [f"the check failed: {ending.stderr.decode('utf-8', 'replace').strip().splitlines()[-1:]}"]
    return answer.decode("utf-8", "replace").splitlines()
