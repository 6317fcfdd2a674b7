"""Two languages for everything a student reads: English and Chinese.

A text is written once, as a pair, at the place that says it; `say` picks the language in force.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

LANGUAGES = ("en", "zh")


def default_language() -> str:
    """The language of AUTOGRADER_LANG where it names one that the kit speaks, else English."""
    wanted = os.environ.get("AUTOGRADER_LANG", "").strip().lower()[:2]
    return wanted if wanted in LANGUAGES else "en"


_language: ContextVar[str | None] = ContextVar("language", default=None)


def language() -> str:
    """The language in force: "en" or "zh"."""
    return _language.get() or default_language()


@contextmanager
def speaking(lang: str | None) -> Iterator[None]:
    """Within this block, `say` speaks `lang`; None keeps the default."""
    if lang is not None and lang not in LANGUAGES:
        raise ValueError(f"language {lang!r} is not one of {', '.join(LANGUAGES)}")
    token = _language.set(lang)
    try:
        yield
    finally:
        _language.reset(token)


@dataclass(frozen=True)
class Text:
    """One sentence in both languages."""

    en: str
    zh: str

    def __str__(self) -> str:
        return self.zh if language() == "zh" else self.en


def say(en: str, zh: str) -> str:
    """The sentence in the language in force."""
    return zh if language() == "zh" else en
