"""The words and signs for a status, in both languages; the pages and the terminal's table use the same."""

from __future__ import annotations

from autograder.language import Text

WORDS = {
    "passed": Text("passed", "通过"),
    "failed": Text("not yet right", "尚未正确"),
    "todo": Text("to do", "待完成"),
    "missing": Text("missing", "缺失"),
    "error": Text("error", "出错"),
    "timeout": Text("timed out", "超时"),
    "crashed": Text("crashed", "崩溃"),
    "graded": Text("graded", "已评分"),
    "partly": Text("partly right", "部分正确"),
}
SIGNS = {"passed": "✓", "partly": "~", "failed": "✗", "todo": "·", "missing": "–", "error": "!", "timeout": "…", "crashed": "!"}
ASCII_SIGNS = {"passed": "+", "partly": "~", "failed": "x", "todo": ".", "missing": "-", "error": "!"}


def word(status: str) -> str:
    """The status in the language in force; a status that this kit does not know is shown as it is."""
    return str(WORDS.get(status, status))


def shade(status: str, score: float) -> str:
    """The status of an exercise as it is drawn: a failed one that earned something is "partly" right."""
    return "partly" if status == "failed" and score > 0 else status
