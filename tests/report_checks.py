"""What holds for every page and every line that the reports show, as the tests of both check it."""

from __future__ import annotations

import io
import re
from html.parser import HTMLParser

from rich.console import Console

from autograder.reports.rows import Row
from autograder.reports.table import print_table

UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


class Page(HTMLParser):
    """A page as a browser reads it: its tags, its links, its text."""

    def __init__(self, html: str):
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(re.sub("<style>.*</style>", "", html, flags=re.DOTALL))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("a", "b", "bdi", "code", "span", "strong"):
            self.words.append(" ")

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())

    @property
    def links(self) -> list[str]:
        return [str(attrs["href"]) for tag, attrs in self.tags if tag == "a"]


def check_safe(html: str) -> Page:
    """The rules every page keeps, whatever it shows."""
    page = Page(html)
    assert not UNSAFE.search(html)
    names = {tag for tag, _ in page.tags}
    assert names.isdisjoint({"script", "img", "iframe", "object", "embed", "form", "link", "base", "foreignobject"})
    for _, attrs in page.tags:
        assert not any(name.startswith("on") or name in ("style", "src") for name in attrs)
    policies = [attrs["content"] for _, attrs in page.tags if attrs.get("http-equiv") == "Content-Security-Policy"]
    assert len(policies) == 1
    assert str(policies[0]).startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in str(policies[0])
    assert not any("://" in link or link.startswith(("/", "javascript:")) for link in page.links)
    return page


def terminal(rows: list[Row], **options: object) -> str:
    out = io.StringIO()
    print_table(rows, Console(file=out, width=80, **options))  # type: ignore[arg-type]
    return out.getvalue()
