"""The table of exercises in both READMEs, from the course list. `build` writes what this module returns."""

from __future__ import annotations

import re
from pathlib import Path

from autograder.content.layout import READMES, Fault, Layout
from autograder.course import COURSE, MAX_SCORE, Exercise
from autograder.language import say, speaking

MARKER = "<!-- course table -->"

# The marker, and the table that an earlier build wrote below it.
_PLACE = re.compile(rf"^{re.escape(MARKER)}\n(?:\n?(?:\|.*\n)+)?", re.MULTILINE)


def course_table(lang: str) -> str:
    """A Markdown table, a row per exercise: id, title, points, what it builds on."""
    with speaking(lang):
        head = [say("exercise", "练习"), say("what it is about", "内容"), say("points", "分值"), say("builds on", "可以用到的练习")]
        bonus = sum(e.points for e in COURSE if e.bonus)
        total = say(f"{MAX_SCORE:g}, and {bonus:g} bonus", f"{MAX_SCORE:g}，另加 {bonus:g} 分附加题")
        rows = [head, ["---"] * len(head), *map(_row, COURSE), ["", say("all", "合计"), total, ""]]
    return "".join("| " + " | ".join(row) + " |\n" for row in rows)


def _row(exercise: Exercise) -> list[str]:
    points = f"{exercise.points:g}" + (say(" bonus", "（附加）") if exercise.bonus else "")
    return [f"`{exercise.id}`", str(exercise.title), points, ", ".join(f"`{id}`" for id in exercise.builds_on)]


def readme_files(layout: Layout) -> tuple[dict[Path, str], list[Fault]]:
    """What the READMEs must hold: path -> text; and those that have no place for the table."""
    files: dict[Path, str] = {}
    faults: list[Fault] = []
    for lang in READMES:
        path = layout.readme(lang)
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        if _PLACE.search(text):
            files[path] = _PLACE.sub(lambda _: f"{MARKER}\n\n{course_table(lang)}", text, count=1)  # noqa: B023
        else:
            faults.append(Fault(layout.name(path), f"no line {MARKER}", "put it where the table of exercises belongs"))
    return files, faults
