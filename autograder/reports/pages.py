"""Draws the HTML pages from the templates beside it: self-contained, without script, under a strict content policy.

Called by feedback.py and summary.py. Every text that a template shows is made visible and escaped here, in one place, so no
template can forget it.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from autograder.language import language, say
from autograder.reports.rows import ExerciseRow
from autograder.reports.words import SIGNS, shade, word
from autograder.text import points, visible


def render(template: str, **values: Any) -> str:
    """The page in the language in force."""
    return _environment().get_template(template).render(values, lang="zh-CN" if language() == "zh" else "en")


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("autograder.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style = environment.loader.get_source(environment, "page.css")[0] if environment.loader else ""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    environment.globals.update(
        say=say,
        word=word,
        shade=shade,
        signs=SIGNS,
        style=Markup(style),
        # The style is allowed by its hash: a style that got in some other way does nothing.
        policy=f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'",
    )
    environment.filters.update(points=points, path=path_in_url, pieces=_pieces, counted=_counted, by_id=_by_id)
    return environment


def _shown(value: Any) -> Any:
    return visible(value) if type(value) is str else value


def path_in_url(name: str) -> str:
    """A file or folder name as one segment of a relative address."""
    return quote(name, safe="", errors="replace")


def _pieces(line: str) -> list[tuple[bool, str]]:
    """A line cut at its backticks: (is code, text). An odd backtick is text like any other."""
    parts = line.split("`")
    if len(parts) % 2 == 0:
        return [(False, line)]
    return [(i % 2 == 1, part) for i, part in enumerate(parts) if part]


def _counted(status: str, counts: dict[str, int]) -> tuple[str, int]:
    return status, counts.get(status, 0)


def _by_id(exercises: Iterable[ExerciseRow]) -> dict[str, ExerciseRow]:
    return {exercise.id: exercise for exercise in exercises}
