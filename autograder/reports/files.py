"""What the batch leaves in one student's folder: report.json, feedback.html and, for the instructor, output.txt."""

from __future__ import annotations

from pathlib import Path

from autograder.reports.atomic import write_atomically
from autograder.reports.feedback import feedback_html
from autograder.reports.model import Report
from autograder.reports.schema import as_json, dumps
from autograder.text import visible


def write_report(folder: Path, report: Report) -> None:
    """Write feedback.html, output.txt (only where something was printed) and report.json into `folder`, which is made if need be.

    report.json comes last: where it stands, the rest is complete.
    """
    text = dumps(as_json(report))
    page = feedback_html(report)
    printed = printed_text(report)
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / "feedback.html", page)
    if printed:
        write_atomically(folder / "output.txt", printed)
    else:
        (folder / "output.txt").unlink(missing_ok=True)
    write_atomically(folder / "report.json", text)


def printed_text(report: Report) -> str:
    """What the student's code printed, for the instructor: a heading per exercise and the lines indented below it.

    Control characters are escaped, and no printed line can pass for a heading.
    """
    parts = []
    for exercise, printed in report.output.items():
        if printed.strip():
            lines = visible(printed, lines=True).rstrip("\n").split("\n")
            parts.append("\n".join([visible(exercise), *(f"    {line}" for line in lines)]))
    return "\n\n".join(parts) + "\n" if parts else ""
