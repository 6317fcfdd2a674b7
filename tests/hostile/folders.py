"""Folders on disk: special files, litter, odd layouts; and the ways in which a Python file is saved and named."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from tests.handed_in import zipped
from tests.hostile import BROKEN, MISSING, MODULE, NOT_SOFTMAX, SOFTMAX, STUB, Case, graded, refused, then

LOOK = "look at it before anything else"
TEXT = SOFTMAX.decode()


def _fifo(path: Path) -> None:
    os.mkfifo(path / "exercises" / "pipe")


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        folder = os.open(path, os.O_RDONLY)
        try:
            server.bind(f"/proc/self/fd/{folder}/s")  # a socket's own path may be no longer than a hundred bytes
        finally:
            os.close(folder)


def _device(path: Path) -> None:
    os.mknod(path / "null", 0o20666, os.makedev(1, 3))


def _huge(path: Path) -> None:
    with open(path / "huge.bin", "wb") as file:
        file.truncate(10**12)


def _not_utf8(path: Path) -> None:
    (path / "caf\udce9.txt").write_bytes(b"x")


def _link(name: str, target: str) -> object:
    def make(path: Path) -> None:
        (path / name).symlink_to(target)

    return make


def _folder_of(count: int, below: str) -> dict[str, bytes]:
    return {f"{below}/{i % 97}/{i}.py": b"" for i in range(count)}


def _own(source: str) -> bytes:
    return (TEXT + source).encode()


def _on_disk() -> list[Case]:
    return [
        refused("fifo", then(MODULE, _fifo), "pipe", LOOK),
        refused("socket", then(MODULE, _socket), "socket", LOOK),
        refused("huge", then(MODULE, _huge), "64 MiB", "without data sets"),
        graded("name-not-utf8", then(MODULE, _not_utf8)),
        graded("link-file", then({"src.txt": SOFTMAX, "exercises/": b""}, _link("exercises/softmax.py", "../src.txt"))),
        graded("link-to-folder", then({"work/softmax.py": SOFTMAX}, _link("exercises", "work")), "more than one"),
        refused("link-out", then(MODULE, _link("exercises/x", "../../innocent/exercises/softmax.py")), "leaves", LOOK),
        refused("link-passwd", then(MODULE, _link("x", "/etc/passwd")), "leaves", LOOK),
        refused("link-loop", then(MODULE, _link("x", ".")), "circle", "in place of links"),
        refused("linked-folder", lambda path: path.symlink_to("innocent"), "is a link", "put the folder or file itself there"),
        refused("linked-file.zip", lambda path: path.symlink_to("innocent-zip.zip"), "is a link"),
        refused("linked-nowhere.zip", lambda path: path.symlink_to("nowhere"), "is a link"),
        refused("fifo-as-file.zip", lambda path: os.mkfifo(path), "pipe", LOOK),
        graded("environments", {**MODULE, **_folder_of(5_000, "venv/lib"), **_folder_of(5_000, ".git/objects"), "__MACOSX/._a": b"x"}),
        graded("caches", {**MODULE, "exercises/__pycache__/softmax.cpython-311.pyc": b"\0", ".ipynb_checkpoints/a-checkpoint.ipynb": b"{"}),
        graded(
            "droppings", {**MODULE, ".DS_Store": b"\0", "Thumbs.db": b"\0", "exercises/._softmax.py": b"\0\5\x16\7", "desktop.ini": b""}
        ),
        graded("empty-folder", {"exercises/": b""}, "empty", verdict=MISSING),
        graded("nothing-to-grade", {"readme.txt": b"sorry"}, "no module", verdict=MISSING),
        graded("folder-as-module", {"exercises/softmax.py/x.txt": b"x"}, verdict=MISSING),
        graded("folder-beside-module", {"exercises/softmax.py/x.txt": b"x", "a/softmax.py": SOFTMAX}),
        graded("provided-as-folder", {**MODULE, "exercises/lstm.py/x.txt": b"x"}),
        graded("file-named-exercises", {"softmax.py": SOFTMAX, "exercises": b"which exercises I did"}),
        graded("file-named-tests", {**MODULE, "exercises/tests": b"x", "tests": b"x"}),
        graded("two-exercises", {**MODULE, "old/exercises/softmax.py": NOT_SOFTMAX}, "more than one"),
        graded("twice-exercises", {"exercises/exercises/softmax.py": SOFTMAX}),
        graded("nested", {"hw/exercises/softmax.py": SOFTMAX, "hw/exercises/helpers.py": b"x = 1"}),
        graded("zip-inside", {"hw.zip": zipped(MODULE), "readme.txt": b"r"}),
        refused("zip-in-zip-inside", {"hw.zip": zipped({"hw.zip": zipped(MODULE)})}, "another archive", "unpack"),
        refused("bad-zip-inside", {"hw.zip": b"PK\3\4 broken"}, "damaged", "download it again"),
        graded("backslash", {**MODULE, "a\\b.txt": b"x"}),
        graded("colon", {**MODULE, "Q: what is a key.txt": b"x"}),
        refused("backslash-dots", {**MODULE, "..\\x.py": b"x"}, "`\\.\\.`", LOOK),
        graded("deep", {**MODULE, "a/" * 30 + "x": b"x"}),
        refused("too-deep", {**MODULE, "a/" * 60 + "x": b"x"}, "folders inside", LOOK),
    ]


def _saved() -> list[Case]:
    return [
        graded("bom", {"softmax.py": b"\xef\xbb\xbf" + SOFTMAX}),
        graded("utf16", {"softmax.py": TEXT.encode("utf-16")}, "UTF-16"),
        graded("utf16-cookie", {"softmax.py": ("# coding: utf-16\n" + TEXT).encode("utf-16")}, "UTF-16"),
        graded("latin1-cookie", {"softmax.py": "# -*- coding: latin-1 -*-\n# l'été\n".encode("latin-1") + SOFTMAX}),
        graded("gbk-cookie", {"softmax.py": "# coding=gbk\n# 注意\n".encode("gbk") + SOFTMAX}),
        graded("crlf", {"softmax.py": SOFTMAX.replace(b"\n", b"\r\n")}),
        graded("cr", {"softmax.py": SOFTMAX.replace(b"\n", b"\r")}),
        graded("form-feed", {"softmax.py": SOFTMAX.replace(b"\n\n\n", b"\n\x0c\n\n")}),
        graded("tabs", {"softmax.py": SOFTMAX.replace(b"    ", b"\t")}),
        graded("no-last-newline", {"softmax.py": SOFTMAX.rstrip()}),
        graded("nul-in-module", {"softmax.py": SOFTMAX + b"\0"}, verdict=BROKEN),
        graded("gbk-without-cookie", {"softmax.py": SOFTMAX + "s = '注意'\n".encode("gbk")}, verdict=BROKEN),
        graded("empty-file", {"softmax.py": b""}, verdict=MISSING),
        graded("binary", {"softmax.py": bytes(range(256)) * 40}, verdict=BROKEN),
        graded("surrogate", {"softmax.py": SOFTMAX + b'x = "\\ud800"\n'}),
        graded("deep-python", {"softmax.py": SOFTMAX + b"x = " + b"(" * 50_000 + b")" * 50_000}, verdict=BROKEN),
        graded("deep-unary", {"softmax.py": SOFTMAX + b"x = " + b"-" * 300_000 + b"1\n"}, verdict=BROKEN),
        graded("long-line", {"softmax.py": SOFTMAX + b"x = " + b"1+" * 20_000 + b"1\n"}, verdict=BROKEN),
        graded("thirty-mb", {"softmax.py": SOFTMAX + b"# nothing but a comment, over and over again, to fill the file\n" * 480_000}),
        graded(
            "thirty-mb-of-lines", {"softmax.py": b"\n" * 30_000_000 + NOT_SOFTMAX.replace(b"return x", b"return 1 / 0")}, verdict="failed"
        ),
        graded("bare.py", SOFTMAX, "graded by what it defines"),
        graded("bare-two.py", SOFTMAX + b"\ndef causal_mask(n_q, n_k=None):\n    raise NotImplementedError\n"),
    ]


def _named() -> list[Case]:
    return [
        *(
            graded(f"named {name}", {name: SOFTMAX}, "graded as softmax.py")
            for name in (
                *("Softmax.py", "softmax.PY", "SOFTMAX.PY", "softmax (1).py", "softmax-2.py", "softmax.py.txt", "softmax - Copy.py"),
                *("Copy of softmax.py", "softmax 副本.py"),
            )
        ),
        graded("copies", {**MODULE, "exercises/softmax (1).py": NOT_SOFTMAX, "exercises/softmax-2.py": NOT_SOFTMAX}, "ignored"),
        graded("stub-and-work", {"exercises/softmax.py": STUB, "softmax.py": SOFTMAX}, verdict="todo"),
    ]


def cases() -> list[Case]:
    """All of them; made when asked for, since some are large."""
    return [*_on_disk(), *_saved(), *_named()]
