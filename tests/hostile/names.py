"""Ids: formulas, markup, escapes, names of the grader's own files, and names that differ by next to nothing."""

from __future__ import annotations

from tests.handed_in import zipped
from tests.hostile import MODULE, SOFTMAX, Case, graded

FOLDERS = [
    *("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "＝1", "=cmd|' calc'!A0", "'=1", "'"),
    *("<img src=x onerror=alert(1)>", "<script>alert(1)<", "a&lt;b", '"', '","', "O'Brien", "&", "{{ 7*7 }}", "${x}", "%s%n", "`id`"),
    *("CON", "nul.txt", "a:b", "a\\b", "-rf", "--help", "*", "~", " ", "ada ", "ada.", "ada|"),
    *("\u202egnp.exe", "\u2066x\u2069", "a\u200bb", "\ufeffada", "\x1b[31mred\x1b[0m", "\x07", "a\nb", "a\r\nb", "a\u2028b", "caf\udce9"),
    *("n" * 250, "名" * 80, "grades.csv", "summary.html", "Summary.HTML", "submitted", "[red]bold[red]", "None", "0", "1e5"),
    *("Ada", "ada", "ADA", "Jos\xe9", "Jose\u0301", "\u017fmith", "smith", "ﬁn", "fin"),
]
HIDDEN = [".", "..", ".autograder", ".hidden", "n" * 300, "名" * 120, "grades.CSV"]  # what a class's zip may call a student, and no file


def cases() -> list[Case]:
    """All of them."""
    return [
        *(graded(name, MODULE) for name in FOLDERS),
        graded("=2+2.zip", zipped(MODULE)),
        graded("<b>bold<.py", SOFTMAX),
    ]
