"""A student's id: how it is read off a file's name and turned into the name of a report's folder."""

from __future__ import annotations

import hashlib
import re
import unicodedata

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_LONGEST_SLUG = 40

GRADERS_OWN = frozenset(("grades.csv", "summary.html"))

_SUFFIX = re.compile(
    r"(?:\.tar(?:[-_ ]?\(?\d+\)?)?\.(?:gz|bz2|xz|zst)|\.(?:tgz|tbz2?|txz|tar|zip|rar|7z|gz|bz2|xz)"
    r"|\.ipynb(?:\.(?:json|txt))?|\.py(?:\.txt)?)$",
    re.IGNORECASE,
)


def id_of(name: str) -> str:
    """The id that a file's name gives: without the suffix of an archive, a notebook or a module."""
    return _SUFFIX.sub("", name) or name or "submission"


def folder_name(student: str) -> str:
    """The folder of this student's report: the id where it is a harmless name, else a readable slug with a short hash.

    The grader's own files keep their names. Whoever makes folders for a class sees to it that no two are the same.
    """
    if _PLAIN.fullmatch(student) and student.casefold() not in GRADERS_OWN:
        return student
    digest = hashlib.sha256(student.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return f"{_slug(student)}.{digest}"


def _slug(student: str) -> str:
    """Letters and digits of any script without accents, at most 40; what else there was becomes single hyphens."""
    decomposed = unicodedata.normalize("NFKD", student)
    bare = "".join(c for c in decomposed if not unicodedata.combining(c))
    kept = "".join(c if c.isalnum() or c in "._-" else "-" for c in unicodedata.normalize("NFC", bare))
    slug = re.sub(r"-{2,}", "-", kept)[:_LONGEST_SLUG].strip("._-")
    return slug or "student"
