"""What a student's notebook showed, made safe to show again: plain text, and pictures that are nothing else.

nbgrader's pages put HTML, SVG and JavaScript of outputs before the instructor as they are. `repair` calls this.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_output

from autograder.language import say
from autograder.limits import Limits
from autograder.text import visible

PICTURES = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff"}

_ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_OVERWRITTEN = re.compile(r"^[^\n]*\r(?!\n)", re.MULTILINE)  # what a progress bar drew before it drew again


@dataclass
class Allowance:
    """How much of a notebook is still shown: characters of its cells, of its outputs, of Markdown; bytes of pictures."""

    source: int
    text: int
    rendered: int
    pictures: int

    @classmethod
    def of(cls, limits: Limits) -> Allowance:
        return cls(limits.shown_source, limits.shown_text, limits.rendered_text, limits.shown_pictures)

    def of_source(self, source: str) -> str:
        """A cell's text, or as much of it as may still be shown."""
        shown = shortened(source, self.source)
        self.source = max(0, self.source - len(source))
        return shown

    def of_text(self, text: str) -> str:
        """An output's text, or as much of it as may still be shown."""
        shown = shortened(text, self.text)
        self.text = max(0, self.text - len(text))
        return shown

    def picture(self, data: bytes) -> bool:
        """Whether so many bytes more may be shown."""
        fits = len(data) <= self.pictures
        self.pictures -= len(data) if fits else 0
        return fits


def shortened(text: str, most: int) -> str:
    """The text, cut with a remark where it is longer than that."""
    return text if len(text) <= most else text[:most] + say("… (the rest is not shown)", "……（其余不再显示）")


def safe_outputs(raw: Any, allowance: Allowance) -> list[NotebookNode]:
    """The outputs of one cell, as they stand in the student's file, as ones that hold only text and pictures."""
    outputs = []
    for output in raw if isinstance(raw, list) else ():
        shown = _safe(output, allowance) if isinstance(output, dict) and allowance.text > 0 else None
        if shown is not None:
            outputs.append(shown)
    return outputs


def _safe(output: dict[str, Any], allowance: Allowance) -> NotebookNode | None:
    match output.get("output_type"):
        case "stream":
            name = "stderr" if output.get("name") == "stderr" else "stdout"
            return new_output("stream", name=name, text=_text(output.get("text"), allowance))
        case "error":
            traceback = output.get("traceback")
            lines = "\n".join(line for line in traceback if isinstance(line, str)) if isinstance(traceback, list) else ""
            shown = _text(lines or f"{output.get('ename')}: {output.get('evalue')}", allowance)
            return new_output("error", ename="", evalue="", traceback=shown.split("\n"))
        case "display_data" | "execute_result":
            data = output.get("data")
            shown_data = _safe_data(data, allowance) if isinstance(data, dict) else {}
            return new_output("display_data", data=shown_data) if shown_data else None
    return None


def _safe_data(data: dict[str, Any], allowance: Allowance) -> dict[str, str]:
    shown = safe_pictures(data, allowance)
    if shown:
        return shown
    if "text/plain" in data:
        return {"text/plain": _text(data["text/plain"], allowance)}
    kinds = ", ".join(sorted(str(kind) for kind in data))
    return {"text/plain": _text(say(f"(not shown: {kinds})", f"（未显示：{kinds}）"), allowance)} if kinds else {}


def safe_pictures(data: dict[str, Any], allowance: Allowance) -> dict[str, str]:
    """Of a bundle of representations the first picture that is one by its first bytes, encoded anew."""
    for kind, magic in PICTURES.items():
        picture = _decoded(data.get(kind))
        if picture.startswith(magic) and allowance.picture(picture):
            return {kind: base64.b64encode(picture).decode("ascii")}
    return {}


def _decoded(value: Any) -> bytes:
    if isinstance(value, list):
        value = "".join(line for line in value if isinstance(line, str))
    try:
        return base64.b64decode("".join(value.split()), validate=True) if isinstance(value, str) else b""
    except (binascii.Error, ValueError):
        return b""


def _text(value: Any, allowance: Allowance) -> str:
    if isinstance(value, list):
        value = "".join(line for line in value if isinstance(line, str))
    text = allowance.of_text(value if isinstance(value, str) else "")
    return visible(_ANSI.sub("", _OVERWRITTEN.sub("", text)), lines=True)
