"""A student's Markdown, so that nbgrader's pages can render it: text that would become HTML, a script or an odd link is shown as text.

Those pages render cells without cleaning them. What they would make of a text is found out by nbconvert's own renderer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from html import unescape
from typing import Any
from urllib.parse import urlsplit

from nbconvert.filters.markdown_mistune import InvalidNotebook, IPythonRenderer, MarkdownWithMath

LINKED = ("", "http", "https", "mailto", "attachment")

_PICTURE = re.compile(r"data:image/(?:png|jpeg);base64,")
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_FENCE = re.compile(r"~{3,}")


class _Suspect(Exception):
    """The renderer met something that must not be rendered, and no piece of HTML that could be taken for text."""


class _Watching(IPythonRenderer):
    """The renderer of nbgrader's pages, which remembers the HTML that it would have let through."""

    def __init__(self, attachments: Mapping[str, Any]):
        super().__init__(escape=False, attachments=dict(attachments))
        self.html: list[str] = []

    def block_html(self, html: str) -> str:
        self.html.append(html)
        return ""

    def inline_html(self, html: str) -> str:
        self.html.append(html)
        return ""

    def block_mermaidjs(self, code: str) -> str:
        raise _Suspect

    def link(self, text: str, url: str, title: str | None = None) -> str:
        _require_harmless(url)
        return str(super().link(text, url, title))

    def image(self, text: str, url: str, title: str | None = None) -> str:
        _require_harmless(url)
        return str(super().image(text, url, title))


def _require_harmless(url: str) -> None:
    """Raise _Suspect for a link that is no page's and no picture's, read as a browser does: no entities, control characters or blanks."""
    plain = re.sub(r"[\x00-\x20]", "", unescape(url))
    if urlsplit(plain).scheme not in LINKED and not _PICTURE.match(plain):
        raise _Suspect


def safe_prose(source: str, attachments: Mapping[str, Mapping[str, str]]) -> str:
    """The same text where it renders to nothing but text, formulas, pictures and links; else with its HTML, or all of it, as text."""
    return _safe(source, tuple(sorted((name, tuple(sorted(data.items()))) for name, data in attachments.items())))


@lru_cache(maxsize=2048)  # a class hands in the same lesson over and over
def _safe(source: str, attachments: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]) -> str:
    held = {name: dict(data) for name, data in attachments}
    for _ in range(3):
        html = _html_in(source, held)
        if html == []:
            return source
        if html is None:
            break
        for piece in html:
            source = source.replace(piece, piece.replace("<", "&lt;"))
    return preformatted(source)


def _html_in(source: str, attachments: Mapping[str, Any]) -> list[str] | None:
    """The pieces of HTML in a text; None where it is better shown as it is."""
    watching = _Watching(attachments)
    try:
        MarkdownWithMath(renderer=watching).render(source)
    except (_Suspect, InvalidNotebook, ValueError, RecursionError):
        return None
    return watching.html


def preformatted(source: str) -> str:
    """Markdown that shows a text character by character."""
    longest = max((len(run) for run in _FENCE.findall(source)), default=2)
    fence = "~" * (longest + 1)
    return f"{fence}\n{source}\n{fence}"


def as_text(text: str) -> str:
    """Markdown for a line that shows as it reads."""
    return _PUNCTUATION.sub(r"\\\1", " ".join(text.split()))
