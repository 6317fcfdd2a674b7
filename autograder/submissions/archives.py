"""Reads zips and tars into a `Tree`: in memory, member by member, bounded while reading. Nothing is ever extracted to disk.

Python's own `extractall` is never used: its tar filter can be escaped, and it has no limits. How tars are read stands in tars.py.
"""

from __future__ import annotations

import io
import stat
import struct
import tarfile
import time
import zipfile
import zlib
from collections.abc import Callable, Sequence
from typing import BinaryIO

from autograder.language import say
from autograder.limits import MIB, Limits
from autograder.submissions.kinds import is_litter
from autograder.submissions.model import Part, Unreadable
from autograder.submissions.tars import BLOCK, GZIP, Gunzip, Stream, TarReader, is_tar
from autograder.submissions.tree import Allowance, Link, Tree, safe_parts, shorten, too_large, too_many

_CHUNK = 1 * MIB
_LARGEST_DIRECTORY = 16 * MIB  # a zip's list of members is read in one piece; this is some hundred thousand of them
_LITTER_FACTOR = 10  # so many times the allowed members are looked through, where most of them are caches and environments
_TAR_FACTOR = 2  # the same for the bytes of a tar, which cannot be skipped without unpacking them
_HEADERS = 4  # for so many members of a tar one counts: its long name and attributes, and those of a Mac's shadow of it
_END_OF_ZIP = 22 + 65_535  # the last bytes of a zip, its comment included
_LONGEST_TARGET = 4096  # of a link
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)

# What the standard library raises for damaged input. Broad on purpose: these parsers see hostile bytes.
_DAMAGE = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, struct.error, EOFError, OSError,
    ValueError, IndexError, KeyError, OverflowError, NotImplementedError, RuntimeError, RecursionError,
)  # fmt: skip


def read_archive(source: BinaryIO, limits: Limits) -> Tree:
    """All members of a zip, tar or gzipped tar, told apart by content.

    Raises Unreadable for what is none of these, for damaged, encrypted and oversized ones, and for members that are
    neither files, folders nor links within the archive.
    """
    head = source.read(BLOCK)
    source.seek(0)
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return _read_zip(source, limits)
    if head.startswith(GZIP):
        return _read_gzip(source, limits)
    if is_tar(head):
        return _read_tar(_Metered(source, limits), limits)
    if _ends_as_zip(source):  # a download or a self-extractor put something in front
        return _read_zip(source, limits)
    raise Unreadable(_not_an_archive(head))


def _ends_as_zip(source: BinaryIO) -> bool:
    size = source.seek(0, io.SEEK_END)
    source.seek(max(0, size - _END_OF_ZIP))
    tail = source.read(_END_OF_ZIP)
    source.seek(0)
    return b"PK\x05\x06" in tail


def _not_an_archive(head: bytes) -> str:
    if not head:
        return say("The file is empty: the upload failed, ask for it again.", "文件是空的：上传没有成功，请让学生重新提交。")
    for magic, kind in ((b"Rar!", "RAR"), (b"7z\xbc\xaf", "7-Zip"), (b"\xfd7zXZ", "xz"), (b"BZh", "bzip2"), (b"%PDF", "PDF")):
        if head.startswith(magic):
            return say(
                f"This is a {kind} file, which the grader does not open: ask for a .zip, or repack it as one.",
                f"这是 {kind} 文件，评分程序不打开这种格式：请让学生改交 .zip，或自行转换成 .zip。",
            )
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return say(
            "This is a web page saved under the name of an archive (a login page, perhaps): download it again.",
            "这是一个以压缩包名字保存的网页（可能是登录页）：请重新下载。",
        )
    return say(
        "The file is no zip and no tar, whatever its name says, or its beginning is lost: download it again, or ask for a .zip.",
        "无论名字如何，这个文件不是 zip 也不是 tar，或者开头已损坏：请重新下载，或让学生改交 .zip。",
    )


def _damaged(error: Exception) -> Unreadable:
    return Unreadable(
        say(
            f"The archive is damaged or cut short ({type(error).__name__}): download it again, or ask for a new one.",
            f"压缩包已损坏或不完整（{type(error).__name__}）：请重新下载，或让学生重新提交。",
        )
    )


def _special(name: str) -> Unreadable:
    return Unreadable(
        say(
            f"{shorten(name)} is a device, pipe or other special file: look at it before anything else, and ask for a new archive.",
            f"{shorten(name)} 是设备、管道等特殊文件：请先检查这份文件，再让学生重新提交。",
        )
    )


# zip


class _ShortReads(io.RawIOBase):
    """A file that is never read in larger pieces than a zip's directory may be long."""

    def __init__(self, file: BinaryIO):
        self._file = file

    def read(self, size: int = -1) -> bytes:
        if size is None or size < 0:
            size = _CHUNK  # zipfile asks for the rest of the file only within its last 64 KiB
        if size > _LARGEST_DIRECTORY:
            raise Unreadable(
                say(
                    "The zip lists more members than any submission has: ask for one without data sets and environments.",
                    "压缩包里的成员数量远超正常提交：请让学生去掉数据集和虚拟环境后重新提交。",
                )
            )
        return self._file.read(size)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()
        super().close()


def open_zip(source: BinaryIO) -> zipfile.ZipFile:
    """The zip, with its list of members read. Raises Unreadable."""
    try:
        return zipfile.ZipFile(_ShortReads(source))
    except _DAMAGE as error:
        raise _damaged(error) from None


def _read_zip(source: BinaryIO, limits: Limits) -> Tree:
    tree, allowance = Tree(), Allowance(limits)
    with open_zip(source) as opened:
        members = opened.infolist()
        if len(members) > _LITTER_FACTOR * limits.archive_members:
            raise Unreadable(too_many(limits))
        for info in members:
            parts = safe_parts(member_name(info))
            if not parts or is_litter(parts):
                continue
            _add_member(tree, parts, opened, info, allowance)
    return tree


class ClassZip:
    """The zip of a whole class, opened once; `read` gives one student's part of it."""

    def __init__(self, source: BinaryIO):
        self._opened = open_zip(source)
        self._members = {member_name(info): info for info in self._opened.infolist()}

    def read(self, parts: Sequence[Part], limits: Limits) -> Tree:
        """One student's members, each at its place in the submission. Raises Unreadable."""
        tree, allowance = Tree(), Allowance(limits)
        for part in parts:
            place = safe_parts(part.path)
            if place and not is_litter(place):
                _add_member(tree, place, self._opened, self._member(part.entry), allowance)
        return tree

    def _member(self, name: str) -> zipfile.ZipInfo:
        info = self._members.get(name)
        if info is None:
            raise Unreadable(
                say(
                    f"{shorten(name)} is no longer in the class's zip: run the command again.",
                    f"班级压缩包里已没有 {shorten(name)}：请重新运行命令。",
                )
            )
        return info


def _add_member(tree: Tree, parts: tuple[str, ...], opened: zipfile.ZipFile, info: zipfile.ZipInfo, allowance: Allowance) -> None:
    kind = stat.S_IFMT(info.external_attr >> 16) if info.create_system == 3 else 0
    folder = info.is_dir() or member_name(info).endswith("/") or kind == stat.S_IFDIR
    allowance.member(folder=folder)
    if folder:
        tree.add_folder(parts)
    elif kind == stat.S_IFLNK and info.file_size <= _LONGEST_TARGET:
        tree.add(parts, Link(_content(opened, info, allowance).decode("utf-8", "surrogateescape")))
    elif kind in (0, stat.S_IFREG):
        tree.add(parts, _content(opened, info, allowance))
    else:
        raise _special("/".join(parts))


def _content(opened: zipfile.ZipFile, info: zipfile.ZipInfo, allowance: Allowance) -> bytes:
    name = shorten(info.filename)
    if info.flag_bits & 0x1:
        raise Unreadable(
            say(
                f"The zip is locked with a password ({name}): ask for one without.",
                f"压缩包有密码保护（{name}）：请让学生交一份不加密的。",
            )
        )
    if info.compress_type not in _METHODS:
        raise Unreadable(
            say(
                f"{name} is packed by an unusual method (number {info.compress_type}): ask for an ordinary zip.",
                f"{name} 使用了不常见的压缩方式（编号 {info.compress_type}）：请让学生交普通的 zip。",
            )
        )
    allowance.announced(info.file_size)  # what it says it holds; what it holds is counted below
    try:
        with opened.open(info) as member:
            return _bounded(member.read, allowance)
    except Unreadable:
        raise
    except _DAMAGE as error:
        raise _damaged(error) from None


def _bounded(read: Callable[[int], bytes], allowance: Allowance) -> bytes:
    chunks = []
    while chunk := read(_CHUNK):
        allowance.bytes(len(chunk))
        chunks.append(chunk)
    return b"".join(chunks)


def member_name(info: zipfile.ZipInfo) -> str:
    """A member's name in full, with slashes. Where the zip does not call it UTF-8 it may be so, or a Chinese Windows's GBK.

    zipfile reads such names as code page 437, which shows Chinese as box-drawing characters.
    """
    name = info.orig_filename.replace("\\", "/")
    if info.flag_bits & 0x800 or name.isascii():
        return name
    raw = name.encode("cp437")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        pass
    try:
        chinese = raw.decode("gb18030")
    except UnicodeDecodeError:
        return name
    return chinese if all(c.isascii() or "\u3000" <= c <= "\u9fff" or "\uff00" <= c <= "\uffef" for c in chinese) else name


def zip_listing(source: BinaryIO) -> list[tuple[str, float]]:
    """Names of the files and folders (with a slash at the end) in a zip, with their times. Raises Unreadable."""
    with open_zip(source) as opened:
        listing = []
        for info in opened.infolist():
            name = member_name(info)
            try:
                when = time.mktime((*info.date_time, 0, 0, -1))
            except (ValueError, OverflowError):
                when = 0.0
            listing.append((name, when))
        return listing


# tar


class _Metered:
    """A stream that ends with Unreadable when more comes out of it than any submission needs."""

    def __init__(self, file: Stream, limits: Limits):
        self._file = file
        self._left = _TAR_FACTOR * limits.archive_bytes
        self._limits = limits
        self._ahead = b""

    def read(self, size: int, /) -> bytes:
        data, self._ahead = (self._ahead[:size], self._ahead[size:]) if self._ahead else (self._file.read(min(size, _CHUNK)), b"")
        self._left -= len(data)
        if self._left < 0:
            raise Unreadable(too_large(self._limits))
        return data

    def peek(self) -> bytes:
        """The first block, which is read again afterwards; less where there is less."""
        while len(self._ahead) < BLOCK and (data := self._file.read(BLOCK - len(self._ahead))):
            self._ahead += data
        return self._ahead


def _read_gzip(source: BinaryIO, limits: Limits) -> Tree:
    stream = _Metered(Gunzip(source), limits)
    try:
        head = stream.peek()
    except _DAMAGE as error:
        raise _damaged(error) from None
    if not is_tar(head):
        raise Unreadable(
            say(
                "The file is compressed, but what is in it is no tar: unpack it and grade what comes out, or ask for a .zip.",
                "这个文件是压缩过的，但里面不是 tar：请把它解开后再评分，或让学生改交 .zip。",
            )
        )
    return _read_tar(stream, limits)


def _read_tar(stream: _Metered, limits: Limits) -> Tree:
    tree, allowance = Tree(), Allowance(limits)
    most = _LITTER_FACTOR * limits.archive_members
    reader = TarReader(stream, _HEADERS * most)
    try:
        for seen, member in enumerate(reader):
            if seen >= most:
                raise Unreadable(too_many(limits))
            parts = safe_parts(member.name)
            if not parts or is_litter(parts):
                continue
            allowance.member(folder=member.isdir())
            _add_tar_member(tree, parts, reader, member, allowance)
    except Unreadable:
        raise
    except _DAMAGE as error:
        raise _damaged(error) from None
    return tree


def _add_tar_member(tree: Tree, parts: tuple[str, ...], reader: TarReader, member: tarfile.TarInfo, allowance: Allowance) -> None:
    if member.isdir():
        tree.add_folder(parts)
    elif member.issym():
        tree.add(parts, Link(member.linkname))
    elif member.islnk():
        tree.add(parts, Link(member.linkname, from_root=True))
    elif member.isreg():
        allowance.announced(member.size)
        tree.add(parts, _bounded(reader.read, allowance))
    else:
        raise _special("/".join(parts))
