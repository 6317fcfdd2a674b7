"""What a folder or an archive holds, as names and bytes: safe names only, links followed as copies, everything counted.

The readers of folders and archives put into a `Tree` what they find; `Tree.files` gives paths and contents.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from autograder.language import say
from autograder.limits import MIB, Limits
from autograder.submissions.kinds import LONGEST_NAME
from autograder.submissions.model import Unreadable
from autograder.text import visible

DEEPEST = 40  # folders in folders
LONGEST_PATH = 1000
MOST_HOPS = 40  # links that lead to links

_DRIVE = re.compile(r"[A-Za-z]:")


@dataclass(frozen=True)
class Link:
    """A link. The target counts from the folder that it lies in, or from the root (a tar's hard link)."""

    target: str
    from_root: bool = False


Folder = dict[str, "Folder | bytes | Link"]


def safe_parts(name: str) -> tuple[str, ...]:
    """A member's name as the parts of a relative path; empty for the root itself.

    A backslash separates, as in zips made on Windows. Raises Unreadable for absolute names, drive letters, `..` and NUL.
    """
    path = name.replace("\\", "/")
    if path.startswith("/") or _DRIVE.match(path):
        raise Unreadable(_refused(name, say("an absolute name", "绝对路径")))
    if "\0" in path:
        raise Unreadable(_refused(name, say("a name with a NUL character", "含 NUL 字符的名字")))
    parts = tuple(part for part in path.split("/") if part not in ("", "."))
    if ".." in parts:
        raise Unreadable(_refused(name, say("a name with `..` in it", "含 `..` 的名字")))
    if len(parts) > DEEPEST:
        raise Unreadable(_refused(name, say(f"more than {DEEPEST} folders inside each other", f"超过 {DEEPEST} 层的文件夹")))
    return parts


def _refused(name: str, what: str) -> str:
    shown = shorten(name)
    return say(
        f"It holds {what}, {shown}, which an honest submission never does: look at it before anything else, and ask for a new one.",
        f"其中有{what}：{shown}。正常的提交不会这样：请先检查这份文件，再让学生重新提交。",
    )


def shorten(name: str, longest: int = 80) -> str:
    """A name as notes show it: visible, and cut where it is long."""
    shown = visible(name)
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


@dataclass
class Allowance:
    """How many files, folders and bytes one submission has used. Raises Unreadable when it is too much of one of them."""

    limits: Limits
    members: int = 0
    folders: int = 0
    size: int = 0

    def member(self, folder: bool = False) -> None:
        """Count one more file, link or folder."""
        self.members += not folder
        self.folders += folder
        if max(self.members, self.folders) > self.limits.archive_members:
            raise Unreadable(too_many(self.limits))

    def bytes(self, count: int) -> None:
        """Count more bytes."""
        self.announced(count)
        self.size += count

    def announced(self, count: int) -> None:
        """Refuse so many more bytes where they would be too many; count nothing."""
        if self.size + count > self.limits.archive_bytes:
            raise Unreadable(too_large(self.limits))


def too_many(limits: Limits) -> str:
    """The sentence about a submission with too many members."""
    return say(
        f"It holds more than {limits.archive_members} files: ask for one without data sets and environments.",
        f"其中的文件超过 {limits.archive_members} 个：请让学生去掉数据集和虚拟环境后重新提交。",
    )


def too_large(limits: Limits) -> str:
    """The sentence about a submission with too many bytes."""
    return say(
        f"It holds more than {limits.archive_bytes // MIB} MiB unpacked: ask for one without data sets and other large files.",
        f"解开后超过 {limits.archive_bytes // MIB} MiB：请让学生去掉数据集等大文件后重新提交。",
    )


@dataclass
class Tree:
    """The members of one folder or archive. Order of arrival does not matter, but for duplicates: the last one counts."""

    root: Folder = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, parts: tuple[str, ...], node: bytes | Link) -> None:
        """Put a file or link at this path."""
        folder = self._folder(parts[:-1])
        if isinstance(folder.get(parts[-1]), dict):
            raise self._two_things(parts)
        if parts[-1] in folder:
            name = shorten("/".join(parts))
            note = say(f"{name} is in the archive more than once; the last one was graded.", f"压缩包里有多个 {name}，按最后一个评分。")
            if note not in self.notes:
                self.notes.append(note)
        folder[parts[-1]] = node

    def add_folder(self, parts: tuple[str, ...]) -> None:
        """Put a folder at this path; it may be there already."""
        self._folder(parts)

    def _folder(self, parts: tuple[str, ...]) -> Folder:
        folder = self.root
        for part in parts:
            inner = folder.setdefault(part, {})
            if not isinstance(inner, dict):
                raise self._two_things(parts)
            folder = inner
        return folder

    @staticmethod
    def _two_things(parts: tuple[str, ...]) -> Unreadable:
        name = shorten("/".join(parts))
        return Unreadable(
            say(
                f"{name} is both a file or link and a folder in it, so that nobody can tell what was meant: ask for a new archive.",
                f"其中 {name} 既是文件或链接又是文件夹，无法判断是哪一个：请让学生重新打包提交。",
            )
        )

    def files(self, limits: Limits) -> dict[str, bytes]:
        """Path -> content of every file, links followed as copies.

        Raises Unreadable for links that leave the tree or lead in circles, and where the copies exceed the limits.
        """
        allowance = Allowance(limits)
        found: dict[str, bytes] = {}
        for parts, content in self._walk(self.root, (), (), allowance):
            path = "/".join(parts)
            if _fits(parts):
                found[path] = content
            else:
                name = shorten(path)
                self.notes.append(say(f"{name} was left out: its name is too long or not text.", f"忽略了 {name}：名字过长或不是文本。"))
        return found

    def _walk(
        self, folder: Folder, shown: tuple[str, ...], real: tuple[str, ...], allowance: Allowance, around: tuple[tuple[str, ...], ...] = ()
    ) -> Iterator[tuple[tuple[str, ...], bytes]]:
        """Files below a folder that is seen at `shown` and lies at `real`; `around`: the folders that it is in, by where they lie."""
        if real in around or len(shown) > DEEPEST:
            raise Unreadable(_circle("/".join(shown)))
        for name, node in sorted(folder.items()):
            at, path = (*real, name), (*shown, name)
            if isinstance(node, Link):
                target = self._follow(real, node, path)
                if target is None:
                    here = shorten("/".join(path))
                    self.notes.append(say(f"{here} is a link to nothing and was left out.", f"忽略了 {here}：它是指向不存在文件的链接。"))
                    continue
                at, node = target
            allowance.member(folder=isinstance(node, dict))
            if isinstance(node, dict):
                yield from self._walk(node, path, at, allowance, (*around, real))
            else:
                allowance.bytes(len(node))
                yield path, node

    def _follow(self, folder: tuple[str, ...], link: Link, path: tuple[str, ...]) -> tuple[tuple[str, ...], Folder | bytes] | None:
        """Where a link leads and what is there; None where it leads to nothing."""
        at = () if link.from_root else folder
        todo = self._steps(link.target, path)
        hops = 0
        node: Folder | bytes | Link | None = self._at(at)
        while todo:
            step = todo.pop()
            if step == "..":
                if not at:
                    raise Unreadable(_leaves("/".join(path), link.target))
                at = at[:-1]
                node = self._at(at)
                continue
            node = node.get(step) if isinstance(node, dict) else None
            if node is None:
                return None
            if isinstance(node, Link):
                hops += 1
                if hops > MOST_HOPS:
                    raise Unreadable(_circle("/".join(path)))
                todo += self._steps(node.target, path)
                at = () if node.from_root else at
                node = self._at(at)
            else:
                at = (*at, step)
        return None if node is None or isinstance(node, Link) else (at, node)

    @staticmethod
    def _steps(target: str, path: tuple[str, ...]) -> list[str]:
        """The steps of a link's target, the first one last."""
        plain = target.replace("\\", "/")
        if plain.startswith("/") or _DRIVE.match(plain) or "\0" in plain:
            raise Unreadable(_leaves("/".join(path), target))
        return [step for step in reversed(plain.split("/")) if step not in ("", ".")]

    def _at(self, parts: tuple[str, ...]) -> Folder | bytes | Link | None:
        node: Folder | bytes | Link | None = self.root
        for part in parts:
            node = node.get(part) if isinstance(node, dict) else None
        return node


def _fits(parts: tuple[str, ...]) -> bool:
    """Whether a file of this name can be written where it is graded."""
    try:
        encoded = [part.encode("utf-8", "surrogateescape") for part in parts]
    except UnicodeEncodeError:
        return False
    return max(map(len, encoded)) <= LONGEST_NAME and sum(map(len, encoded)) + len(parts) <= LONGEST_PATH


def _leaves(name: str, target: str) -> str:
    return say(
        f"{shorten(name)} is a link that leaves the submission (to {shorten(target)}): look at it before anything else, "
        "and ask for the file itself in place of the link.",
        f"{shorten(name)} 是指向提交之外的链接（{shorten(target)}）：请先检查这份文件，再让学生用文件本身替换链接后重新提交。",
    )


def _circle(name: str) -> str:
    return say(
        f"{shorten(name)} is a link that leads in a circle: ask for the files themselves in place of links.",
        f"{shorten(name)} 是循环链接：请让学生用文件本身替换链接后重新提交。",
    )
