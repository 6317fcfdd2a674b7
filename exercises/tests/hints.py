"""Hints, in steps: a question, then where to read. conftest.py and notebook.py ask here.

The question is that of a common mistake, where the answer is known as one: hints.json holds, as numbers only, what each of them gives in
these tests. Else it is the one that the test file of the exercise asks about its function, in `HINTS`.
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from .course import SECTIONS
from .expect import Reply, hint_line
from .language import Text, language, say

TABLE = Path(__file__).resolve().with_name("hints.json")


def hint_lines(level: int, exercise: str, called: str, mistake: str = "") -> Iterator[str]:
    """What `--hint`, given `level` times, says of a call or a stub: the first step is a question, the second where to read.

    called: a call in words, `SelfAttention(3, 2).forward(X (2, 3))`, or the name of a stub. mistake: the hint for a common mistake, which
    is shown without being asked for.
    """
    name, question = _question(exercise, called) if level > 0 else ("", "")
    if mistake or question:
        yield hint_line(mistake or question)
    if level > 1:
        section = SECTIONS[exercise]
        yield say(f"Read: section “{section}” of the lesson", f"阅读：讲义“{section}”一节") + (
            say(f", then the docstring and the TODOs of `{name}`.", f"，然后看 `{name}` 的文档字符串和 TODO。") if name else say(".", "。")
        )


def _question(exercise: str, called: str) -> tuple[str, str]:
    """The entry point that a call is of and the question about it; of a class where it is no method with a question of its own."""
    questions = questions_of(exercise)
    name, inner = called, ""
    while name != inner:
        name, inner = re.sub(r"\([^()]*\)", "", name), name
    # Python 3.10 has the short name only of a method that is a stub; `__init__` is that of the class, which comes first.
    short = list(questions)[:1] if name == "__init__" else [known for known in questions if known.endswith(f".{name}")]
    name = next((name for name in (name, name.partition(".")[0], *short) if name in questions), "")
    return name, str(questions.get(name, ""))


def questions_of(exercise: str) -> Mapping[str, Text]:
    """`HINTS` of test_<exercise>.py: a question for each function, class and method that is to be written."""
    found: Mapping[str, Text] = getattr(importlib.import_module(f"{__package__}.test_{exercise}"), "HINTS", {})
    return found


def hint_for(exercise: str, test: str, reply: Reply | None) -> str:
    """The hint for a wrong answer that a common mistake gives in this test; empty where none gives it."""
    if reply is None or reply.raised is not None:
        return ""
    got = numbers(reply.value)
    entries = _table().get(exercise, {}).get(test, []) if got is not None else []
    found = {entry[language()] for entry in entries if entry["part"] == reply.part and _same(got, entry)}
    return found.pop() if len(found) == 1 else ""


def numbers(value: Any) -> np.ndarray | None:
    """A value as an array of floats, booleans as 0 and 1; None where it is something else."""
    try:
        array = np.asarray(value)
    except (ValueError, TypeError):
        return None
    return array.astype(np.float64) if array.dtype.kind in "biuf" else None


def _same(got: np.ndarray, entry: dict[str, Any]) -> bool:
    if list(got.shape) != entry["shape"]:
        return False
    want = np.array([float(number) for number in entry["numbers"]]).reshape(got.shape)
    finite = np.abs(want[np.isfinite(want)])
    return bool(np.allclose(got, want, rtol=0.0, atol=1e-5 * max(1.0, finite.max(initial=0.0)), equal_nan=True))


@cache
def _table() -> dict[str, dict[str, list[dict[str, Any]]]]:
    try:
        return json.loads(TABLE.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
