"""What the batch leaves in one student's folder: report.json, feedback.html and, for the instructor, output.txt."""

from __future__ import annotations

from pathlib import Path

from autograder.reports.atomic import write_together
from autograder.reports.feedback import feedback_html
from autograder.reports.model import Report
from autograder.reports.schema import as_json, dumps
from autograder.text import visible

OUTPUT = "output.txt"


def report_files(report: Report) -> dict[str, str]:
    """The text of feedback.html, of output.txt (only where something was printed) and of report.json."""
    files = {"feedback.html": feedback_html(report), OUTPUT: printed_text(report), "report.json": dumps(as_json(report))}
    return {name: text for name, text in files.items() if text}


def write_report(folder: Path, report: Report) -> None:
    """Write a report's files into `folder`, which is made if need be. report.json comes last: where it stands, the rest is complete."""
    files = report.drawn or report_files(report)
    folder.mkdir(parents=True, exist_ok=True)
    write_together(folder, files)
    if OUTPUT not in files:
        (folder / OUTPUT).unlink(missing_ok=True)


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
