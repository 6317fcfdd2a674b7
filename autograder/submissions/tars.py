"""Reads tars, gzipped or not, from a stream, member by member. `archives` puts into a tree what it finds.

Of Python's own reader only the parser of one header block is used. The rest of it is no place for a stranger's bytes: a pax
header of some kilobytes keeps it busy for hours, the map of a sparse member fills the memory, and a tar that breaks off
between two members is taken for a whole one.
"""

from __future__ import annotations

import tarfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO, Protocol

from autograder.language import say
from autograder.limits import KIB, MIB
from autograder.submissions.model import Unreadable
from autograder.submissions.tree import shorten

BLOCK = tarfile.BLOCKSIZE
GZIP = b"\x1f\x8b"

_LONGEST_HEADER = 1 * MIB  # of the names and attributes that may stand ahead of a member
_MOST_GZIPS = 10_000  # one after the other in one file, as some packers make them
_CHUNK = 64 * KIB
_LONG_NAMES = {tarfile.GNUTYPE_LONGNAME: "path", tarfile.GNUTYPE_LONGLINK: "linkpath"}
_PAX = (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.XGLTYPE)
_WANTED, _SPARSE = (b"path", b"linkpath", b"size"), "sparse"
_LONGEST_NUMBER = 20  # digits of the length of a pax record


class Stream(Protocol):
    """Bytes that come once, in order; fewer than asked for only at the end."""

    def read(self, size: int, /) -> bytes:
        """The next bytes."""


class Gunzip:
    """What a gzip file unpacks to. Zeros and garbage behind it are left alone, as gzip itself does."""

    def __init__(self, file: BinaryIO):
        self._file = file
        self._gzip = zlib.decompressobj(zlib.MAX_WBITS | 16)
        self._input = b""
        self._count = 1

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes more; none at the end. EOFError where the file is cut short, zlib.error where it is damaged."""
        while True:
            if self._gzip.eof and not self._next():
                return b""
            self._input = self._input or self._file.read(_CHUNK)
            if not self._input:
                raise EOFError
            data = self._gzip.decompress(self._input, size)
            self._input = self._gzip.unconsumed_tail
            if data:
                return data

    def _next(self) -> bool:
        """Go on to the gzip that follows directly, where there is one."""
        rest = self._gzip.unused_data
        if len(rest) < len(GZIP):
            rest += self._file.read(_CHUNK)
        if not rest.startswith(GZIP):
            return False
        self._count += 1
        if self._count > _MOST_GZIPS:
            raise ValueError("too many gzips in one file")
        self._gzip, self._input = zlib.decompressobj(zlib.MAX_WBITS | 16), rest
        return True


def is_tar(head: bytes) -> bool:
    """Whether these are the first bytes of a tar, old ones and empty ones too."""
    if head[257:262] == b"ustar":
        return True
    if len(head) < BLOCK:
        return False
    try:
        return not head.strip(b"\0") or bool(_header(head[:BLOCK]))
    except (tarfile.TarError, ValueError):
        return False


class TarReader:
    """The members of a tar, in order; `read` gives the content of the one at hand.

    Raises Unreadable for sparse members, and EOFError, ValueError or tarfile.TarError where the tar is damaged or cut short.
    """

    def __init__(self, stream: Stream, most_headers: int):
        self._stream = stream
        self._most_headers = most_headers
        self._content = self._padding = 0  # bytes still to come of the member at hand

    def __iter__(self) -> Iterator[tarfile.TarInfo]:
        for_all: dict[str, str] = {}
        for_next: dict[str, str] = {}
        for _ in range(self._most_headers):
            self._skip()
            block = self._exactly(BLOCK)
            if not block.strip(b"\0"):
                return
            info = _header(block)
            if info.type in _LONG_NAMES:
                for_next[_LONG_NAMES[info.type]] = _text(self._header_data(info).partition(b"\0")[0])
            elif info.type in _PAX:
                (for_all if info.type == tarfile.XGLTYPE else for_next).update(_records(self._header_data(info)))
            else:
                _apply(info, {**for_all, **for_next})
                for_next.clear()
                self._begin(info)
                yield info
        raise ValueError("too many headers")

    def read(self, size: int) -> bytes:
        """At most `size` more bytes of the member at hand; none at its end."""
        data = self._exactly(min(size, self._content, _CHUNK))
        self._content -= len(data)
        return data

    def _begin(self, info: tarfile.TarInfo) -> None:
        # Folders, links and devices may state a size, and have no content all the same.
        has_content = info.isreg() or info.type not in tarfile.SUPPORTED_TYPES
        self._content = info.size if has_content else 0
        self._padding = -self._content % BLOCK

    def _skip(self) -> None:
        while self.read(_CHUNK):
            pass
        self._exactly(self._padding)
        self._padding = 0

    def _header_data(self, info: tarfile.TarInfo) -> bytes:
        if not 0 <= info.size <= _LONGEST_HEADER:
            raise ValueError("a header is too long")
        data = self._exactly(info.size)
        self._exactly(-info.size % BLOCK)
        return data

    def _exactly(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            piece = self._stream.read(size - len(data))
            if not piece:
                raise EOFError
            data += piece
        return data


def _header(block: bytes) -> tarfile.TarInfo:
    return tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")


def _apply(info: tarfile.TarInfo, said: dict[str, str]) -> None:
    """What headers ahead of a member said of it."""
    info.name = said.get("path", info.name)
    info.linkname = said.get("linkpath", info.linkname)
    if "size" in said:
        info.size = int(said["size"]) if len(said["size"]) <= _LONGEST_NUMBER else -1
    if info.size < 0:
        raise ValueError("a member has a size below zero")
    if info.type == tarfile.GNUTYPE_SPARSE or _SPARSE in said:
        name = shorten(info.name)
        raise Unreadable(
            say(
                f"{name} is packed as a sparse file, which the grader does not open: ask for an ordinary zip.",
                f"{name} 以稀疏文件方式打包，评分程序不打开这种格式：请让学生交普通的 zip。",
            )
        )


def _records(data: bytes) -> dict[str, str]:
    """What counts here of a pax header's records, `length key=value`."""
    found: dict[str, str] = {}
    at = 0
    while at < len(data) and data[at]:
        number, blank, _ = data[at : at + _LONGEST_NUMBER + 1].partition(b" ")
        end = at + int(number) if blank else 0  # int refuses what is no number
        record = data[at + len(number) + 1 : end]
        if not record.endswith(b"\n") or end > len(data):
            raise ValueError("a pax header has no records")
        key, _, value = record[:-1].partition(b"=")
        if key in _WANTED:
            found[_text(key)] = _text(value)
        elif key.startswith(b"GNU.sparse."):
            found[_SPARSE] = ""
        at = end
    return found


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")
