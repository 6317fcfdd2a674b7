"""What is said about work that came in after the deadline: a note in the report, which the feedback shows too.

The command line writes the notes, for those of whom it is known when they handed in; the score stays what it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from autograder.language import say

# A note says this and nothing else: a student's file name that is in another note cannot pass for it.
_TIME = r"\d{4}-\d\d-\d\d \d\d:\d\d[+-]\d\d:\d\d"
_NOTE = re.compile(
    rf"Late: handed in {_TIME}, [\w ]+ after the deadline, {_TIME}\."
    rf"|迟交：提交时间 {_TIME}，比截止时间 {_TIME} 晚了[\w ]+。"
)


def late_note(handed_in: float, deadline: datetime) -> str:
    """The note on work of this time, in seconds since 1970; empty where it was in time."""
    when = datetime.fromtimestamp(handed_in, UTC).astimezone(deadline.tzinfo)
    if when <= deadline:
        return ""
    came, due = (time.isoformat(" ", "minutes")[:22] for time in (when, deadline))
    by = when - deadline
    return say(
        f"Late: handed in {came}, {_duration(by)} after the deadline, {due}.",
        f"迟交：提交时间 {came}，比截止时间 {due} 晚了 {_duration(by)}。",
    )


def late_notes(notes: Iterable[str]) -> list[str]:
    """Those of a report's notes that are `late_note`'s."""
    return [note for note in notes if _NOTE.fullmatch(note)]


def _duration(time: timedelta) -> str:
    """A length of time in its two largest units; what is below a minute counts as one."""
    minutes = max(1, round(time.total_seconds() / 60))
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    named = [(days, say("d", "天")), (hours, say("h", "小时")), (minutes, say("min", "分钟"))]
    return " ".join(f"{number} {unit}" for number, unit in [part for part in named if part[0]][:2])
