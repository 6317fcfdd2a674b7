"""How Canvas, Moodle and nbgrader write a student's name into file names, and nbgrader's time stamps. Discovery reads them.

Canvas ("Download Submissions", ContentZipper in canvas-lms): flat files
    <sortable name, lower case, letters and digits only>[_LATE]_<user id>_<file id>_<the student's own file name>
    [LATE_]anon_<anonymous id>_<file id>_<file name>                         where the assignment is anonymous
    <name>[_LATE]_<user id>_text.html, ..._link.html                         typed text, an address
Moodle ("Download all submissions", mod_assign\\downloader): a folder per student and kind of submission
    <full name>_<participant>_assignsubmission_<file|onlinetext>[_]/<the student's own path>
    <full name>_<participant>_assignsubmission_<file|onlinetext>_<file name>  without "Download submissions in folders"
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

_CANVAS = re.compile(
    r"(?:(?P<name>[\w-]+?)_(?P<late>LATE_)?(?P<user>\d+)|(?P<anonymous_late>LATE_)?(?P<anonymous>anon_[A-Za-z0-9]+))"
    r"_(?:(?P<file>\d+)_(?P<own>.+)|(?P<typed>(?:text|link)\.html))",
    re.DOTALL,
)
_MOODLE = re.compile(r"(?P<who>.+)_assignsubmission_(?P<kind>[a-z]+)(?:_(?P<own>.*))?", re.DOTALL)
_STAMP = re.compile(
    r"(?P<date>\d{4}-\d\d-\d\d)[ T](?P<time>\d\d:\d\d:\d\d)(?:\.\d+)?\s*(?P<zone>.*)",
    re.DOTALL,
)
_OFFSET = re.compile(r"(?P<sign>[+-])(?P<hours>\d\d):?(?P<minutes>\d\d)")


@dataclass(frozen=True)
class Owned:
    """A file or folder name of an LMS, taken apart."""

    student: str  # name and number, as the LMS writes them
    own: str  # the student's own file name; empty for a folder, and for text typed into the LMS
    late: bool = False


def canvas(name: str) -> Owned | None:
    """A file name of Canvas's class zip taken apart; None where it is none."""
    found = _CANVAS.fullmatch(name)
    if found is None:
        return None
    student = found["anonymous"] or f"{found['name']}_{found['user']}"
    return Owned(student, found["own"] or "", bool(found["late"] or found["anonymous_late"]))


def moodle(name: str) -> Owned | None:
    """A folder or file name of Moodle's class zip taken apart; None where it is none."""
    found = _MOODLE.fullmatch(name)
    if found is None:
        return None
    return Owned(found["who"], (found["own"] or "") if found["kind"] == "file" else "")


def timestamp(text: str) -> float | None:
    """Seconds since 1970 of nbgrader's timestamp.txt, such as `2025-03-01 12:00:00.000000 Europe/Berlin`; None where it is none."""
    found = _STAMP.fullmatch(text.strip()[:100])
    if found is None:
        return None
    try:
        return datetime.fromisoformat(f"{found['date']} {found['time']}").replace(tzinfo=_zone(found["zone"].strip())).timestamp()
    except (ValueError, OverflowError):
        return None


def _zone(name: str) -> timezone | ZoneInfo:
    offset = _OFFSET.fullmatch(name)
    if offset is not None:
        minutes = int(offset["hours"]) * 60 + int(offset["minutes"])
        return timezone(timedelta(minutes=-minutes if offset["sign"] == "-" else minutes))
    try:
        return ZoneInfo(name) if re.fullmatch(r"[A-Za-z]+(?:/[A-Za-z_+-]+)*\d*", name) else UTC
    except (KeyError, OSError, ValueError):
        return UTC
