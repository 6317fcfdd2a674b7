"""A student's id: how it is read off a file's name, shown to people, and turned into the name of a report's folder."""

from __future__ import annotations

import hashlib
import re
import unicodedata

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_MADE_HERE = re.compile(r".*\.[0-9a-f]{10}", re.DOTALL)
_LONGEST_SLUG = 40

GRADERS_OWN = frozenset(("grades.csv", "summary.html"))
WINDOWS_DEVICES = frozenset(("con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))))

# Control, format (bidi and zero-width among them), surrogates, line and paragraph separators.
_UNPRINTABLE = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))

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

    Two ids never get the same name: an id that looks like a slug with a hash gets a hash of its own. Ids that differ
    only in case keep differing only in case; whoever writes to a file system that ignores case must look out for that.
    """
    if _PLAIN.fullmatch(student) and not student.endswith(".") and not _is_reserved(student) and not _MADE_HERE.fullmatch(student):
        return student
    digest = hashlib.sha256(student.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return f"{_slug(student)}.{digest}"


def _is_reserved(name: str) -> bool:
    return name.casefold() in GRADERS_OWN or name.split(".")[0].casefold() in WINDOWS_DEVICES


def _slug(student: str) -> str:
    """Letters and digits of any script without accents, at most 40; what else there was becomes single hyphens."""
    decomposed = unicodedata.normalize("NFKD", student)
    bare = "".join(c for c in decomposed if not unicodedata.combining(c))
    kept = "".join(c if c.isalnum() or c in "._-" else "-" for c in unicodedata.normalize("NFC", bare))
    slug = re.sub(r"-{2,}", "-", kept)[:_LONGEST_SLUG].strip("._-")
    return f"student-{slug}".rstrip("-") if not slug or _is_reserved(slug) else slug


def printable(text: str) -> str:
    """The text with control, bidi and zero-width characters and undecodable bytes escaped: fit for a terminal, JSON, CSV."""
    return "".join(_escaped(c) if unicodedata.category(c) in _UNPRINTABLE else c for c in text)


def _escaped(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # how Python decodes a byte that is not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
