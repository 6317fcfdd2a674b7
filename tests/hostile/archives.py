"""Archives: names that leave, links, special members, bombs, damage, and every odd way of packing that is still honest."""

from __future__ import annotations

import gzip
import io
import stat
import struct
import tarfile
import warnings
import zipfile

from tests.handed_in import tar_member, tarred, zip_links, zip_member, zipped
from tests.hostile import MISSING, MODULE, NOT_SOFTMAX, SOFTMAX, Case, graded, many, refused

LOOK = "look at it before anything else"
MARKER = "escaped-from-the-archive.py"  # the file that a hostile archive would have written


def _patched(content: bytes, field: int, value: bytes, *, local: int | None = None) -> bytes:
    """A zip of one member with bytes of its entry in the directory changed, and of its local header too."""
    changed = bytearray(content)
    at = content.index(b"PK\x01\x02") + field
    changed[at : at + len(value)] = value
    if local is not None:
        changed[local : local + len(value)] = value
    return bytes(changed)


def _zip64() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive, archive.open("exercises/softmax.py", "w", force_zip64=True) as member:
        member.write(SOFTMAX)
    return out.getvalue()


def _packed(method: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        archive.writestr("exercises/softmax.py", SOFTMAX)
    return out.getvalue()


def _doubled() -> bytes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return zipped([("exercises/softmax.py", NOT_SOFTMAX), ("exercises/softmax.py", SOFTMAX)])


def _named(raw: bytes) -> bytes:
    """A zip with one more member whose name is not UTF-8, without the flag that says what it is, as old Windows tools pack."""
    stand_in = b"x" * len(raw)
    return zipped({**MODULE, f"{stand_in.decode()}.txt": b"1"}).replace(stand_in + b".txt", raw + b".txt")


def _named_module(raw: bytes) -> bytes:
    stand_in = b"x" * len(raw)
    return zipped({f"{stand_in.decode()}/exercises/softmax.py": SOFTMAX}).replace(stand_in, raw)


def _tar(*members: tuple[tarfile.TarInfo, bytes], form: int = tarfile.GNU_FORMAT, encoding: str = "utf-8") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:", format=form, encoding=encoding) as archive:
        for info, content in members:
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def _pax(name: str, headers: dict[str, str]) -> bytes:
    info = tarfile.TarInfo(name)
    info.pax_headers = headers
    return _tar((info, SOFTMAX), form=tarfile.PAX_FORMAT)


def _pax_sparse() -> bytes:
    info = tarfile.TarInfo("exercises/softmax.py")
    info.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": "999999999999"}
    return _tar((info, b"1\n0\n10\n" + b"\0" * 505 + SOFTMAX), form=tarfile.PAX_FORMAT)


def _overlapping() -> bytes:
    """Many entries of the directory over the same bytes, so that the file is small and what it unpacks to is not."""
    content = zipped({"f00": b"\0" * 10_000_000})
    first = content.index(b"PK\x01\x02")
    entries = b"".join(content[first : first + 46] + b"f%02d" % i for i in range(40))
    return content[:first] + entries + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 40, 40, len(entries), first, 0)


def _matryoshka(layers: int) -> bytes:
    content = zipped(MODULE)
    for _ in range(layers):
        content = zipped({f"{i}.zip": content for i in range(4)})
    return content


def _link(name: str, target: str) -> bytes:
    return zip_links(MODULE, {name: target})


def _hard(target: str) -> bytes:
    return tarred({"a/src.txt": SOFTMAX}, [tar_member("a/exercises/softmax.py", tarfile.LNKTYPE, target)])


ZIP, TGZ = zipped(MODULE), tarred(MODULE)


def _names() -> list[Case]:
    return [
        *(
            refused(f"{name}-{suffix}.{suffix}", pack({**MODULE, member: b"x"}), *says)
            for suffix, pack in (("zip", zipped), ("tgz", tarred))
            for name, member, says in (
                ("dotdot", f"../../{MARKER}", ("`\\.\\.`", LOOK)),
                ("dotdot-inside", f"a/../../{MARKER}", ("`\\.\\.`", LOOK)),
                ("dotdot-windows", f"..\\{MARKER}", ("`\\.\\.`", LOOK)),
                ("absolute", f"/tmp/{MARKER}", ("absolute", LOOK)),
                ("drive", f"C:\\{MARKER}", ("absolute", LOOK)),
                ("share", f"\\\\server\\{MARKER}", ("absolute", LOOK)),
                ("deep", "a/" * 200 + "x.py", ("folders inside", LOOK)),
            )
        ),
        refused("nul.zip", zipped({**MODULE, "a_b.py": b"x"}).replace(b"a_b.py", b"a\0b.py"), "NUL", LOOK),
        graded("backslashes.zip", zipped({"hw\\exercises\\softmax.py": SOFTMAX})),
        graded("dots.zip", zipped({"./exercises/./softmax.py": SOFTMAX, ".": b"", "./": b""})),
        graded("no-name.zip", zipped([("", b"x"), ("exercises/softmax.py", SOFTMAX)])),
        graded("long-name.zip", zipped({**MODULE, "x" * 300 + ".py": b"x"}), "left out"),
        graded("long-path.tgz", tarred({**MODULE, "/".join(["y" * 200] * 8): b"x"}), "left out"),
        graded("gnu-long.tar", _tar((tarfile.TarInfo("w" * 150 + "/exercises/softmax.py"), SOFTMAX))),
        graded("pax-name.tar", _pax("other.txt", {"path": "exercises/softmax.py"})),
        refused("pax-dotdot.tar", _pax("exercises/softmax.py", {"path": f"../{MARKER}"}), "`\\.\\.`", LOOK),
        refused("pax-size.tar", _pax("exercises/softmax.py", {"size": "99999999999"}), "MiB|damaged"),
        refused("pax-number.tar", _pax("exercises/softmax.py", {"size": "-1"}), "damaged|MiB"),
        graded("cp437.zip", _named("作业".encode("gbk"))),
        graded("gbk-folder.zip", _named_module("作业".encode("gbk"))),
        graded("latin1.zip", _named(b"caf\xe9")),
        graded(
            "latin1-tar.tar", _tar((tarfile.TarInfo("caf\xe9.txt"), b"1"), (tarfile.TarInfo("softmax.py"), SOFTMAX), encoding="latin-1")
        ),
        refused("not-utf8.zip", zipped({"é.py": b"x"}).replace("é".encode(), b"\xff\xfe"), "damaged"),
        graded("odd-names.zip", zipped({**MODULE, "a\nb\t.txt": b"x", "-rf": b"x", "--help.py": b"x", "\x1b[2J.txt": b"x", "$(id)": b"x"})),
        graded("doubled.zip", _doubled(), "more than once"),
        graded("case.zip", zipped({"exercises/Softmax.py": NOT_SOFTMAX, **MODULE, "EXERCISES/softmax.py": NOT_SOFTMAX}), "more than one"),
        graded("forms.zip", zipped({**MODULE, "exercises/\xe9.py": b"x = 1", "exercises/e\u0301.py": b"x = 2"})),
        refused("file-and-folder.zip", zipped({**MODULE, "a": b"x", "a/b": b"y"}), "both", "new archive"),
        graded("litter.zip", zipped({**MODULE, "__MACOSX/._softmax.py": b"x", ".DS_Store": b"x", "exercises/._softmax.py": b"\0\5\x16\7"})),
    ]


def _links() -> list[Case]:
    return [
        graded("link-module.zip", zip_links({"src.txt": SOFTMAX}, {"exercises/softmax.py": "../src.txt"})),
        graded("link-folder.zip", zip_links({"src/softmax.py": SOFTMAX}, {"exercises": "src"}), "more than one"),
        graded("link-chain.zip", zip_links({"d/s": SOFTMAX}, {"exercises/softmax.py": "../a", "a": "b", "b": "d/../c", "c": "d/s"})),
        refused(
            "link-long-chain.zip", zip_links(MODULE, {f"l{i}": f"l{i + 1}" for i in range(60)} | {"l60": "exercises"}), "circle", "in place"
        ),
        graded("link-nowhere.zip", _link("exercises/data.txt", "gone"), "link to nothing"),
        *(
            refused(f"link-{name}-{suffix}.{suffix}", content, says, "ask for")
            for name, target, says in (
                ("passwd", "/etc/passwd", "leaves"),
                ("up", "../../../etc/passwd", "leaves"),
                ("windows", "..\\..\\x", "leaves"),
                ("self", "l", "circle"),
                ("round", "..", "circle"),
            )
            for suffix, content in (
                ("zip", _link("exercises/l", target)),
                ("tgz", tarred(MODULE, [tar_member("exercises/l", tarfile.SYMTYPE, target)])),
            )
        ),
        refused("link-through.zip", zip_links({**MODULE, "d/x.py": b"x"}, {"d": "/tmp"}), "both"),
        refused(
            "link-many.zip",
            zip_links({**MODULE, "l30/x": b"x"}, {f"l{i}/{s}": f"../l{i + 1}" for i in range(30) for s in "ab"}),
            "more than",
        ),
        graded("hard-link.tgz", _hard("a/src.txt")),
        refused("hard-link-out.tgz", _hard("/etc/passwd"), "leaves"),
        refused("hard-link-up.tgz", _hard("../src.txt"), "leaves"),
        *(
            refused(f"tar-{name}.tgz", tarred(MODULE, [tar_member("d", kind)]), "special file", LOOK)
            for name, kind in (("char", tarfile.CHRTYPE), ("block", tarfile.BLKTYPE), ("fifo", tarfile.FIFOTYPE), ("odd", b"Q"))
        ),
        *(
            refused(f"zip-{name}.zip", zip_member("d", b"", kind | 0o666), "special file", LOOK)
            for name, kind in (("char", stat.S_IFCHR), ("block", stat.S_IFBLK), ("fifo", stat.S_IFIFO), ("socket", stat.S_IFSOCK))
        ),
        refused("sparse.tgz", tarred(MODULE, [tar_member("s", tarfile.GNUTYPE_SPARSE)]), "sparse"),
        refused("pax-sparse.tar", _pax_sparse(), "sparse"),
    ]


def _bombs() -> list[Case]:
    return [
        refused("bomb-ratio.zip", zipped({**MODULE, "zeros": b"\0" * 70_000_000}), "64 MiB", "without data sets"),
        refused("bomb-total.zip", zipped({**MODULE, **{f"z{i}": b"\0" * 9_000_000 for i in range(8)}}), "64 MiB"),
        refused("bomb-lie.zip", _patched(zipped({"softmax.py": SOFTMAX + b"#" * 9_000_000}), 24, struct.pack("<I", 100)), "damaged"),
        refused("bomb-overlap.zip", _overlapping(), "MiB|damaged"),
        refused("bomb.tgz", gzip.compress(_tar((tarfile.TarInfo("zeros"), b"\0" * 70_000_000))), "64 MiB"),
        refused("bomb-litter.tgz", gzip.compress(_tar((tarfile.TarInfo(".git/z"), b"\0" * 140_000_000)), 1), "64 MiB"),
        refused(
            "bomb-header.tgz", gzip.compress(_tar((tarfile.TarInfo("z"), b"\0" * 140_000_000)).replace(b"0\0ustar", b"x\0ustar", 1), 1), "."
        ),
        refused("ten-thousand.zip", zipped({**MODULE, **many("f", 10_000)}), "2000 files", "without data sets"),
        refused("ten-thousand-tar.tgz", tarred({**MODULE, **many("f", 10_000)}), "2000 files"),
        graded("ten-thousand-cached.zip", zipped({**MODULE, **many("node_modules/", 10_000)})),
        refused("folders.zip", zipped({**MODULE, **{f"d{i}/": b"" for i in range(2_100)}}), "2000 files"),
        refused("zip-of-zips.zip", _matryoshka(1), "another archive", "unpack"),
        refused("42.zip", _matryoshka(4), "another archive", "unpack"),
        graded("nested-beside.zip", zipped({**MODULE, "old.zip": ZIP}), "not opened"),
    ]


def _damage() -> list[Case]:
    return [
        graded("zip64.zip", _zip64()),
        refused("password.zip", _patched(ZIP, 8, b"\1", local=6), "password", "ask for one without"),
        refused("aes.zip", _patched(_patched(ZIP, 8, b"\1", local=6), 10, b"\x63\0", local=8), "password"),
        refused("method.zip", _patched(ZIP, 10, b"\x61\0", local=8), "unusual method", "ordinary zip"),
        refused("bzip2.zip", _packed(zipfile.ZIP_BZIP2), "unusual method"),
        refused("lzma.zip", _packed(zipfile.ZIP_LZMA), "unusual method"),
        refused("crc.zip", _patched(ZIP, 16, b"\1\2\3\4", local=14), "damaged", "download it again"),
        refused("cut.zip", ZIP[: len(ZIP) // 2], "damaged", "download it again"),
        refused("cut-gzip.tgz", TGZ[: len(TGZ) // 2], "damaged", "download it again"),
        refused("cut-tar.tar", tarred(MODULE, mode="w:")[:700], "damaged"),
        graded("nothing.zip", zipped({}), "empty", verdict=MISSING),
        graded("nothing-tar.tgz", tarred({}), "empty", verdict=MISSING),
        refused("zero-bytes.zip", b"", "empty", "ask for it again"),
        refused("login-page.zip", b"<!DOCTYPE html><title>Log in</title>", "web page", "download it again"),
        refused("picture.zip", b"\x89PNG\r\n\x1a\n" + bytes(900), "no zip"),
        graded("junk-before.zip", b"HTTP/1.1 200 OK\r\n\r\n" + ZIP),
        graded("junk-after.zip", ZIP + b"\r\n--boundary--\r\n"),
        graded("garbage-after.tgz", TGZ + b"garbage that a download left\r\n"),
        graded("zeros-after.tar.gz", TGZ + bytes(5000)),
        refused("gzip-of-text.tgz", gzip.compress(SOFTMAX), "no tar"),
        refused("gzip-of-zip.tgz", gzip.compress(ZIP), "no tar"),
        graded("tar-as-zip.zip", tarred(MODULE, mode="w:")),
        graded("tgz-as-zip.zip", TGZ),
        graded("zip-as-tgz.tgz", ZIP),
        graded("plain.tar", tarred(MODULE, mode="w:")),
        graded(
            "two-gzips.tar.gz",
            gzip.compress(_tar((tarfile.TarInfo("softmax.py"), SOFTMAX))[:1000])
            + gzip.compress(_tar((tarfile.TarInfo("softmax.py"), SOFTMAX))[1000:]),
        ),
        refused("seven.7z", b"7z\xbc\xaf'\x1c" + bytes(90), "7-Zip", "ask for a .zip"),
        refused("roshal.rar", b"Rar!\x1a\x07\1\0" + bytes(90), "RAR", "ask for a .zip"),
    ]


def cases() -> list[Case]:
    """All of them; made when asked for, since some are large."""
    return [*_names(), *_links(), *_bombs(), *_damage()]
