"""A student's Markdown on nbgrader's pages: what is harmless renders as it was written, everything else is shown as text."""

from __future__ import annotations

import time

import pytest
from bs4 import BeautifulSoup
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from autograder.gradebook.prose import as_text, safe_prose
from autograder.limits import DEFAULT

PNG = {"image/png": "iVBORw0KGgo="}


def page_of(source: str, attachments: dict[str, dict[str, str]] | None = None) -> BeautifulSoup:
    """What nbgrader's pages make of a cell."""
    html = MarkdownWithMath(renderer=IPythonRenderer(escape=False, attachments=attachments or {})).render(source)
    return BeautifulSoup(html, "html.parser")


@pytest.mark.parametrize(
    "source",
    [
        "# Heading\n\nText with *emphasis*, `code < 3` and $a < b$.\n\n- a list\n\n| a | b |\n|---|---|\n| 1 | 2 |",
        "[a page](https://example.org/x?a=1&b=2) and <https://example.org>",
        "```python\nprint('<script>')\n```",
        "1 < 2 and 3 > 2, A<B, x <- y, &lt;b&gt;",
        "中文，`<mask>` 与 $x_{<t}$",
    ],
)
def test_ordinary_text_stays_as_it_is(source: str):
    assert safe_prose(source, {}) == source


def test_a_pasted_picture_stays():
    source = "![a drawing](attachment:drawing.png)"
    assert safe_prose(source, {"drawing.png": PNG}) == source
    assert page_of(source, {"drawing.png": PNG}).img["src"].startswith("data:image/png;base64,")


def test_tags_of_a_prompt_show_and_the_rest_still_renders():
    source = "# Prompt\n\nThe *query* stands in <query>…</query>.\n\n<context>\n\n- one\n\n</context>\n"
    page = page_of(safe_prose(source, {}))
    assert page.em.text == "query"
    assert "<query>…</query>" in page.text and "<context>" in page.text
    assert page.find("query") is None and page.find("context") is None


ATTACKS = [
    "<script>alert(1)</script>",
    "text <img src=x onerror=alert(1)> text",
    "<svg onload=alert(1)>",
    "> <script>\n> alert(1)\n> </script>",
    "- item\n\n  <iframe src='https://example.org'></iframe>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](javascript&#58;alert(1))",
    "[x][1]\n\n[1]: javascript:alert(1)",
    "<javascript:alert(1)>",
    "![x](javascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:x)",
    "```mermaid\n</pre><script>alert(1)</script>\n```",
    "~~~ mermaid\n<img src=x onerror=alert(1)>\n~~~",
    "# <b onclick=alert(1)>heading</b>",
    "| <a onclick=alert(1)>x</a> |\n|---|\n| <b onclick=alert(1)>y</b> |",
    "<!-- --><script>alert(1)</script>",
    "<style>body { display: none }</style>",
    "`` <b> ``\n\n<b onclick=alert(1)>",
    "![missing](attachment:nothing.png)",
    "\\<script>alert(1)\\</script>",
    "$$<script>alert(1)</script>$$",
    "~~~~~\n~~~\n</pre>\n~~~~~\n<script>alert(1)</script>",
]


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_active_comes_through(attack: str):
    page = page_of(safe_prose(attack, {}))
    harmless = {
        "p",
        "a",
        "img",
        "h1",
        "ul",
        "li",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "pre",
        "code",
        "blockquote",
        "em",
        "div",
        "span",
    }
    for tag in page.find_all(True):
        assert tag.name in harmless
        assert not [name for name in tag.attrs if name.startswith("on") or name == "style"]
        for name in ("href", "src"):
            assert tag.get(name, "").split(":")[0] in ("", "https") or tag[name].startswith("#")


@pytest.mark.parametrize("piece", ["[", "![", "`", "$", "<", "*_", "> ", "<a ", "[a](", "\\begin{a}", "| a ", "&", "- ", "~~~", "<!--"])
def test_text_made_to_be_slow_takes_no_time(piece: str):
    source = (piece * DEFAULT.rendered_cell)[: DEFAULT.rendered_cell]
    start = time.monotonic()
    safe_prose(source, {})
    assert time.monotonic() - start < 5


def test_a_note_shows_as_it_reads():
    note = "`<b>` *x* [y](z) # 1. $a$ _my file (1).ipynb_ ~a~ |b| a\\b"
    assert page_of(as_text(note)).text.strip() == note
