"""Hostile and broken archives: each is opened within its limits or refused with a sentence; nothing is written to disk."""

from __future__ import annotations

import gzip
import io
import os
import socket
import stat
import struct
import tarfile
import time
import tracemalloc
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.limits import DEFAULT
from autograder.submissions import Candidate, Unreadable, open_submission
from autograder.submissions.archives import read_archive

from .handed_in import (
    LIMITS,
    SOFTMAX,
    filled_notebook,
    opened,
    opened_bytes,
    refusal,
    tar_member,
    tarred,
    write,
    zip_links,
    zip_member,
    zipped,
)

BAD_NAMES = [
    "../softmax.py",
    "a/../../softmax.py",
    "..\\softmax.py",
    "/etc/passwd",
    "\\\\server\\x",
    "C:/x.py",
    "c:x.py",
    "exercises/../x.py",
]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_names_that_leave_or_are_absolute_are_refused(tmp_path, name):
    for content in (zipped({"exercises/softmax.py": SOFTMAX, name: b"x"}), tarred({"exercises/softmax.py": SOFTMAX, name: b"x"})):
        assert "look at it" in refusal(tmp_path, "ada.zip", content)


def test_a_name_with_nul_is_refused(tmp_path):
    content = zipped({"exercises/softmax.py": SOFTMAX, "a_b.py": b"x"}).replace(b"a_b.py", b"a\0b.py")
    assert "NUL" in refusal(tmp_path, "ada.zip", content)


@pytest.mark.parametrize(
    "name", ["a\nb.txt", "-rf", "--help.py", "a b", "ab:c", "ü.txt", "注意.py", "'\";$(id)", "a\x1b[2J.txt", "<img onerror=x>"]
)
def test_odd_but_harmless_names_are_kept(tmp_path, name):
    for content in (zipped({"exercises/softmax.py": SOFTMAX, name: b"x"}), tarred({"exercises/softmax.py": SOFTMAX, name: b"x"})):
        got = opened_bytes(tmp_path, "ada.zip", content)
        assert got.files[name] == b"x"
        os.fsencode(name)


def test_notes_show_no_control_characters(tmp_path):
    got = opened_bytes(tmp_path, "ada.zip", zipped({"\x1b[2J\n\u202e.txt": b"x"}))
    assert all(c.isprintable() for note in got.notes for c in note)


def test_names_that_cannot_be_written_are_left_out_with_a_note(tmp_path):
    got = opened_bytes(
        tmp_path, "ada.zip", zipped({"exercises/softmax.py": SOFTMAX, "x" * 300 + ".py": b"x", "/".join(["y" * 200] * 6): b"y"})
    )
    assert set(got.files) == {"exercises/softmax.py"}
    assert len([note for note in got.notes if "left out" in note]) == 2


@pytest.mark.parametrize(("raw", "name"), [("作业".encode(), "作业"), ("作业".encode("gbk"), "作业"), (b"caf\x82", "café")])
def test_names_without_the_utf8_flag_are_read_as_they_were_meant(tmp_path, raw, name):
    stand_in = b"x" * len(raw)
    content = zipped({f"{stand_in.decode()}.txt": b"1", "softmax.py": SOFTMAX}).replace(stand_in + b".txt", raw + b".txt")
    assert opened_bytes(tmp_path, "ada.zip", content).files[f"{name}.txt"] == b"1"


def test_a_tar_name_that_is_not_utf8_can_still_be_written(tmp_path):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:", format=tarfile.GNU_FORMAT, encoding="latin-1") as archive:
        for name, content in (("caf\xe9.txt", b"1"), ("softmax.py", SOFTMAX)):
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    (name,) = set(opened_bytes(tmp_path, "ada.tar", out.getvalue()).files) - {"exercises/softmax.py", "exercises/caf\udce9.txt"}
    assert os.fsencode(name) == b"caf\xe9.txt"


def test_a_utf8_name_that_is_none_is_refused(tmp_path):
    content = zipped({"é.py": b"x"}).replace("é".encode(), b"\xff\xfe")
    assert "damaged" in refusal(tmp_path, "ada.zip", content)


# links


def test_links_within_an_archive_are_followed_as_copies(tmp_path):
    files = {"exercises/softmax.py": SOFTMAX, "lib/deep/x.txt": b"x"}
    links = {"exercises/a.txt": "b.txt", "exercises/b.txt": "../lib/deep/../deep/x.txt", "data": "lib/deep", "exercises/lib": "../lib"}
    got = opened_bytes(tmp_path, "ada.zip", zip_links(files, links))
    assert got.files["exercises/a.txt"] == got.files["data/x.txt"] == got.files["exercises/lib/deep/x.txt"] == b"x"
    as_tar = tarred(files, [tar_member(name, tarfile.SYMTYPE, target) for name, target in links.items()])
    as_folder = write(tmp_path / "ada", files)
    for name, target in links.items():
        (as_folder / name).symlink_to(target)
    assert opened_bytes(tmp_path, "ada.tgz", as_tar).digest == opened(as_folder).digest == got.digest


def test_a_module_may_be_a_link(tmp_path):
    assert (
        opened_bytes(tmp_path, "a.zip", zip_links({"src.txt": SOFTMAX}, {"exercises/softmax.py": "../src.txt"})).files[
            "exercises/softmax.py"
        ]
        == SOFTMAX
    )


@pytest.mark.parametrize(
    "target", ["/etc/passwd", "../../etc/passwd", "../..", "..\\..\\x", "C:\\x", "a/../../../x", "../exercises/../../x"]
)
def test_links_that_leave_are_refused(tmp_path, target):
    files = {"exercises/softmax.py": SOFTMAX, "exercises/a/x": b"1"}
    assert "leaves" in refusal(tmp_path, "ada.zip", zip_links(files, {"exercises/l": target}))
    assert "leaves" in refusal(tmp_path, "ada.tgz", tarred(files, [tar_member("exercises/l", tarfile.SYMTYPE, target)]))
    folder = write(tmp_path / "ada", files)
    (folder / "exercises/l").symlink_to(target)
    with pytest.raises(Unreadable, match="leaves"):
        opened(folder)


@pytest.mark.parametrize(
    "links",
    [{"a": "a"}, {"a": "b", "b": "a"}, {"d/l": ".."}, {"d/l": "."}, {"d/l": "../e/m", "e/m": "../d/l"}, {"d/l": "../e", "e/m": "../d"}],
)
def test_links_in_circles_are_refused(tmp_path, links):
    files = {"exercises/softmax.py": SOFTMAX, "d/x": b"1", "e/x": b"1"}
    assert "circle" in refusal(tmp_path, "ada.zip", zip_links(files, links))
    folder = write(tmp_path / "ada", files)
    for name, target in links.items():
        (folder / name).symlink_to(target)
    with pytest.raises(Unreadable, match="circle"):
        opened(folder)


def test_links_that_multiply_are_bounded(tmp_path):
    links = {f"l{i}/{side}": f"../l{i + 1}" for i in range(30) for side in "ab"}
    assert "more than" in refusal(tmp_path, "ada.zip", zip_links({"softmax.py": SOFTMAX, "l30/x": b"x"}, links), DEFAULT)
    links = {f"copy{i}": "big" for i in range(40)}
    assert "MiB" in refusal(tmp_path, "ada.zip", zip_links({"softmax.py": SOFTMAX, "big": b"x" * 10_000}, links))


def test_a_link_to_nothing_is_left_out_with_a_note(tmp_path):
    got = opened_bytes(tmp_path, "ada.zip", zip_links({"softmax.py": SOFTMAX}, {"l": "gone", "m": "softmax.py/x"}))
    assert set(got.files) == {"exercises/softmax.py"}
    assert "link to nothing" in got.notes[0]


def test_writing_through_a_link_is_refused(tmp_path):
    out = io.BytesIO(zip_links({"softmax.py": SOFTMAX}, {"d": "/tmp"}))
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr("d/x.py", b"x")
    assert "both" in refusal(tmp_path, "ada.zip", out.getvalue())


def test_a_hard_link_within_a_tar_is_a_copy_and_one_that_leaves_is_refused(tmp_path):
    files = {"ada/exercises/softmax.py": SOFTMAX}
    got = opened_bytes(tmp_path, "a.tgz", tarred(files, [tar_member("ada/exercises/h.py", tarfile.LNKTYPE, "ada/exercises/softmax.py")]))
    assert got.files["exercises/h.py"] == SOFTMAX
    chain = [
        tar_member("ada/x/hard", tarfile.LNKTYPE, "ada/exercises/softmax.py"),
        tar_member("ada/exercises/s.py", tarfile.SYMTYPE, "../x/hard"),
    ]
    assert opened_bytes(tmp_path, "a.tgz", tarred(files, chain)).files["exercises/s.py"] == SOFTMAX
    for target in ("/etc/passwd", "../x"):
        assert "leaves" in refusal(tmp_path, "a.tgz", tarred(files, [tar_member("ada/h", tarfile.LNKTYPE, target)]))


@pytest.mark.parametrize("kind", [tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_devices_and_pipes_in_a_tar_are_refused(tmp_path, kind):
    assert "special" in refusal(tmp_path, "a.tgz", tarred({"softmax.py": SOFTMAX}, [tar_member("dev", kind)]))


@pytest.mark.parametrize("kind", [stat.S_IFCHR, stat.S_IFBLK, stat.S_IFIFO, stat.S_IFSOCK])
def test_devices_and_pipes_in_a_zip_are_refused(tmp_path, kind):
    assert "special" in refusal(tmp_path, "a.zip", zip_member("dev", b"", kind | 0o666))


def test_special_files_in_a_folder_are_refused(tmp_path):
    folder = write(tmp_path / "ada", {"softmax.py": SOFTMAX})
    os.mkfifo(folder / "pipe")
    with pytest.raises(Unreadable, match="pipe"):
        opened(folder)
    (folder / "pipe").unlink()
    with socket.socket(socket.AF_UNIX) as server:
        os.chdir(folder)
        server.bind("s")
        os.chdir("/")
        with pytest.raises(Unreadable, match="special"):
            opened(folder)


# sizes


def test_declared_sizes_over_the_limit_are_refused_before_reading(tmp_path):
    content = zipped({"softmax.py": SOFTMAX, "zeros": b"\0" * 10_000_000})
    assert len(content) < LIMITS.archive_bytes
    tracemalloc.start()
    assert "MiB" in refusal(tmp_path, "ada.zip", content)
    assert tracemalloc.get_traced_memory()[1] < 3_000_000
    tracemalloc.stop()


def test_sizes_that_are_a_lie_are_refused(tmp_path):
    content = bytearray(zipped({"zeros": b"\0" * 10_000_000}))
    at = content.index(b"PK\x01\x02")
    content[at + 24 : at + 28] = struct.pack("<I", 100)
    assert refusal(tmp_path, "ada.zip", bytes(content))


def test_members_that_overlap_are_counted_each(tmp_path):
    """As in the bombs that point many entries of the directory at the same bytes."""
    content = zipped({f"f{i:02}": b"\0" * 50_000 for i in range(10)})
    first = content.index(b"PK\x01\x02")
    end = content.index(b"PK\x05\x06")
    entry = content[first : first + 46 + 3]
    forged = content[:first] + entry * 40 + content[end:]
    size, count = len(entry) * 40, 40
    forged = forged[:-22] + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, size, first, 0)
    assert refusal(tmp_path, "ada.zip", forged, LIMITS)


def test_a_declared_size_is_believed_before_the_data_is_looked_at(tmp_path):
    content = bytearray(zipped({"zeros": b"\0" * 10_000_000}))
    content[60:100] = b"\xff" * 40  # what there is cannot be unpacked
    assert "MiB" in refusal(tmp_path, "a.zip", bytes(content))
    info = tarfile.TarInfo("zeros")
    info.size = 400_000_000
    assert "MiB" in refusal(tmp_path, "a.tar", info.tobuf())
    folder = write(tmp_path / "ada", {"softmax.py": SOFTMAX})
    with open(folder / "huge", "wb") as file:
        file.truncate(10**12)
    tracemalloc.start()
    with pytest.raises(Unreadable, match="64 MiB"):
        opened(folder)
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()


def test_a_gzip_bomb_is_refused_without_unpacking_it_whole(tmp_path):
    info = tarfile.TarInfo("zeros")
    info.size = 400_000_000
    content = gzip.compress(info.tobuf() + b"\0" * 30_000_000)
    tracemalloc.start()
    assert "MiB" in refusal(tmp_path, "a.tgz", content)
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()


def test_a_tar_bomb_in_headers_or_litter_is_refused(tmp_path):
    header = tarfile.TarInfo("x")
    header.type, header.size = tarfile.XHDTYPE, 30_000_000
    assert refusal(tmp_path, "a.tgz", gzip.compress(header.tobuf(tarfile.GNU_FORMAT) + b"\0" * 30_000_000))
    assert "MiB" in refusal(tmp_path, "a.tgz", tarred({".git/big": b"\0" * 5_000_000, "softmax.py": SOFTMAX}))


def extended(kind: bytes, data: bytes, times: int = 1) -> bytes:
    """A tar of headers that stand ahead of members, and of one member."""
    header = tarfile.TarInfo("x")
    header.type, header.size = kind, len(data)
    block = header.tobuf(tarfile.GNU_FORMAT) + data + b"\0" * (-len(data) % 512)
    return block * times + tarred({"softmax.py": SOFTMAX}, mode="w:")


@pytest.mark.parametrize(
    ("data", "refused"),
    [
        (b"1" * 500_000, True),
        (b"9" * 10_000 + b" path=x\n", True),
        (b"11 size=-9\n", True),
        (b"0 path=x\n", True),
        (b"999 path=x\n", True),
        (b"18 GNU.sparse.x=1\n", True),
        (b"22 GNU.sparse.major=1\n" + b"1\n" * 200_000, True),
        (b"11 a=\xff\xfe\xfdbc\n" * 10_000, False),
        (b"", False),
    ],
    ids=range(9),
)
def test_headers_of_a_tar_are_read_in_no_time_whatever_they_hold(tmp_path, data, refused):
    """Python's own reader needs hours for half a megabyte of digits, and the memory of the machine for a long map."""
    start = time.process_time()
    content = extended(tarfile.XHDTYPE, data)
    if refused:
        assert refusal(tmp_path, "a.tar", content, DEFAULT)
    else:
        assert opened_bytes(tmp_path, "a.tar", content).files == {"exercises/softmax.py": SOFTMAX}
    assert time.process_time() - start < 2


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME])
def test_headers_without_end_are_refused(tmp_path, kind):
    start = time.process_time()
    assert refusal(tmp_path, "a.tar", extended(kind, b"", times=100_000), DEFAULT)
    assert time.process_time() - start < 10


def test_gzips_without_end_are_refused(tmp_path):
    start = time.process_time()
    content = gzip.compress(tarred({"a": b""}, mode="w:")[:512]) + gzip.compress(b"") * 100_000
    assert "damaged" in refusal(tmp_path, "a.tgz", content, DEFAULT)
    assert time.process_time() - start < 5


def test_a_tar_that_breaks_off_between_two_members_is_refused(tmp_path):
    """As downloads do that come in blocks: what is missing must not count as not handed in."""
    whole = tarred({"exercises/softmax.py": SOFTMAX, "exercises/attention.py": SOFTMAX}, mode="w:")
    assert "damaged" in refusal(tmp_path, "a.tar", whole[:1024])
    assert "damaged" in refusal(tmp_path, "a.tgz", gzip.compress(whole[:1024]))


def test_what_is_said_ahead_of_a_member_holds_for_it_alone(tmp_path):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:", format=tarfile.PAX_FORMAT, pax_headers={"comment": "of git"}) as archive:
        for name, headers in (("a", {"path": "exercises/attention.py"}), ("exercises/softmax.py", {}), ("é" * 90, {"mtime": "1.5"})):
            info = tarfile.TarInfo(name)
            info.size, info.pax_headers = len(SOFTMAX), headers
            archive.addfile(info, io.BytesIO(SOFTMAX))
    assert set(opened_bytes(tmp_path, "a.tar", out.getvalue()).files) == {"exercises/attention.py", "exercises/softmax.py", "é" * 90}


def test_a_sparse_member_is_refused(tmp_path):
    info = tar_member("sparse", tarfile.GNUTYPE_SPARSE)
    assert "ordinary zip" in refusal(tmp_path, "a.tgz", tarred({"softmax.py": SOFTMAX}, [info]))


def test_too_many_members_are_refused_and_the_allowed_number_is_not(tmp_path):
    some = {"exercises/softmax.py": SOFTMAX, **{f"f/{i}": b"" for i in range(LIMITS.archive_members - 1)}}
    for name, content in (("a.zip", zipped(some)), ("a.tgz", tarred(some))):
        assert len(opened_bytes(tmp_path, name, content, LIMITS).files) == LIMITS.archive_members
    assert len(opened(write(tmp_path / "ada", some), LIMITS).files) == LIMITS.archive_members
    many = {**some, "one-more": b""}
    for name, content in (("a.zip", zipped(many)), ("a.tgz", tarred(many))):
        assert "files" in refusal(tmp_path, name, content)
    with pytest.raises(Unreadable, match="files"):
        opened(write(tmp_path / "bob", many), LIMITS)


def test_a_folder_is_left_at_the_first_file_too_many(tmp_path, monkeypatch):
    read: list[str] = []
    monkeypatch.setattr("autograder.submissions.folders._content", lambda descriptor, name, allowance: read.append(name) or b"")
    with pytest.raises(Unreadable, match="files"):
        opened(write(tmp_path / "ada", {"softmax.py": b"", **{f"f{i}": b"" for i in range(500)}}), LIMITS)
    assert len(read) == LIMITS.archive_members


def test_too_many_folders_are_refused(tmp_path):
    many = {f"d{i}/": b"" for i in range(LIMITS.archive_members + 1)}
    assert refusal(tmp_path, "a.zip", zipped({**many, "softmax.py": SOFTMAX}))
    with pytest.raises(Unreadable, match="more than"):
        opened(write(tmp_path / "ada", {**many, "softmax.py": SOFTMAX}), LIMITS)


def test_caches_and_environments_do_not_count_until_there_are_very_many(tmp_path):
    litter = {f"venv/lib/{i}.py": b"x" for i in range(300)}
    for name, content in (("a.zip", zipped({**litter, "softmax.py": SOFTMAX})), ("a.tgz", tarred({**litter, "softmax.py": SOFTMAX}))):
        assert set(opened_bytes(tmp_path, name, content, LIMITS).files) == {"exercises/softmax.py"}
    more = {f"venv/lib/{i}.py": b"" for i in range(600)}
    for name, content in (("a.zip", zipped({**more, "softmax.py": SOFTMAX})), ("a.tgz", tarred({**more, "softmax.py": SOFTMAX}))):
        assert "files" in refusal(tmp_path, name, content)


def test_a_directory_that_is_too_long_is_not_even_read(tmp_path, monkeypatch):
    monkeypatch.setattr("autograder.submissions.archives._LARGEST_DIRECTORY", 70_000)
    assert "members" in refusal(tmp_path, "a.zip", zipped({f"{i:0200}": b"" for i in range(400)}))


def test_folders_inside_each_other_without_end_are_refused(tmp_path):
    assert "folders inside" in refusal(tmp_path, "a.zip", zipped({"a/" * 100 + "softmax.py": SOFTMAX}))
    assert "folders inside" in refusal(tmp_path, "a.tgz", tarred({"a/" * 100 + "softmax.py": SOFTMAX}))
    with pytest.raises(Unreadable, match="folders inside"):
        opened(write(tmp_path / "ada", {"exercises/softmax.py": SOFTMAX, "a/" * 60 + "x": b"x"}))


# damage


def test_an_encrypted_zip_is_refused(tmp_path):
    content = bytearray(zipped({"softmax.py": SOFTMAX}))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    assert "password" in refusal(tmp_path, "a.zip", bytes(content))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_unusual_packing_is_refused(tmp_path, method):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        archive.writestr("softmax.py", SOFTMAX)
    assert "unusual" in refusal(tmp_path, "a.zip", out.getvalue())


@pytest.mark.parametrize("make", [zipped, tarred, lambda files: tarred(files, mode="w:")])
def test_a_truncated_archive_is_refused_wherever_it_is_cut(tmp_path, make):
    content = make({"exercises/softmax.py": SOFTMAX, "exercises/data.bin": os.urandom(3000), "z.txt": b"z" * 600})
    end = len(content.rstrip(b"\0"))
    for length in range(1, end, 97):
        assert refusal(tmp_path, "a.zip", content[:length])


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"", "empty"),
        (b"<!DOCTYPE html>", "web page"),
        (b"Rar!\x1a\x07", "RAR"),
        (b"7z\xbc\xaf'\x1c", "7-Zip"),
        (b"%PDF-1.7", "PDF"),
        (b"hello", "no zip and no tar"),
        (b"PK\x03\x04", "damaged"),
        (b"\x1f\x8b\x08", "damaged"),
        (gzip.compress(SOFTMAX), "no tar"),
        (b"BZh9", "bzip2"),
    ],
    ids=range(10),
)
def test_what_is_no_archive_is_named(tmp_path, content, word):
    assert word in refusal(tmp_path, "ada.zip", content)


@pytest.mark.parametrize(
    "content",
    [zipped({}), zipped({"exercises/": b""}), tarred({}), tarred({}, mode="w:"), zipped({"__MACOSX/._x": b"x", ".DS_Store": b""})],
    ids=range(5),
)
def test_an_empty_archive_is_graded_with_everything_missing(tmp_path, content):
    got = opened_bytes(tmp_path, "ada.zip", content)
    assert (got.files, got.cells) == ({}, ())
    assert "empty" in got.notes[0]


def test_of_duplicate_members_the_last_counts_with_a_note(tmp_path):
    with pytest.warns(UserWarning, match="Duplicate"):
        content = zipped([("softmax.py", b"1"), ("softmax.py", SOFTMAX)])
    got = opened_bytes(tmp_path, "a.zip", content)
    assert got.files == {"exercises/softmax.py": SOFTMAX}
    assert "more than once" in got.notes[0]


def test_names_that_differ_in_case_are_two_files(tmp_path):
    got = opened_bytes(tmp_path, "a.zip", zipped({"exercises/Softmax.py": b"1", "exercises/softmax.py": SOFTMAX, "EXERCISES/x.txt": b"x"}))
    assert got.files["exercises/softmax.py"] == SOFTMAX


def test_a_file_that_is_also_a_folder_is_refused(tmp_path):
    for files in ({"a": b"x", "a/b": b"y"}, {"a/b": b"y", "a": b"x"}):
        assert "both" in refusal(tmp_path, "a.zip", zipped({**files, "softmax.py": SOFTMAX}))
        assert "both" in refusal(tmp_path, "a.tgz", tarred({**files, "softmax.py": SOFTMAX}))


def test_an_archive_in_an_archive_is_not_opened(tmp_path):
    inner = zipped({"softmax.py": SOFTMAX})
    assert "unpack" in refusal(tmp_path, "a.zip", zipped({"inner.zip": inner}))
    got = opened_bytes(tmp_path, "a.zip", zipped({"inner.zip": inner, "attention.ipynb": filled_notebook()}))
    assert got.files["inner.zip"] == inner
    assert "not opened" in " ".join(got.notes)


def test_an_archive_in_a_folder_is_opened_one_layer(tmp_path):
    inner = zipped({"exercises/softmax.py": SOFTMAX})
    assert opened(write(tmp_path / "ada", {"attention.zip": inner, "readme.txt": b"r"})).files["exercises/softmax.py"] == SOFTMAX
    with pytest.raises(Unreadable, match="unpack"):
        opened(write(tmp_path / "bob", {"attention.zip": zipped({"inner.zip": inner})}))
    with pytest.raises(Unreadable, match="damaged"):
        opened(write(tmp_path / "eve", {"attention.zip": inner[:-30]}))


def test_nothing_is_written_to_disk(tmp_path, monkeypatch):
    folder = write(tmp_path / "in", {"ada.zip": zipped({"softmax.py": SOFTMAX}), "bob.tgz": tarred({"softmax.py": SOFTMAX})})
    monkeypatch.chdir(write(tmp_path / "cwd", {}))
    before = sorted(tmp_path.rglob("*"))
    for name in ("ada.zip", "bob.tgz"):
        open_submission(Candidate("x", folder / name, 0.0), DEFAULT)
    assert sorted(tmp_path.rglob("*")) == before


SEEDS = [
    zipped({"exercises/softmax.py": SOFTMAX, "b/c.txt": b"x" * 40}),
    tarred({"softmax.py": SOFTMAX}, mode="w:"),
    tarred({"softmax.py": SOFTMAX}),
]


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(SEEDS), st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=8), st.integers(0, 200))
def test_damaged_bytes_are_read_or_refused_and_never_anything_else(seed, changes, cut):
    content = bytearray(seed)
    for place, value in changes:
        content[place % len(content)] = value
    try:
        read_archive(io.BytesIO(bytes(content[: len(content) - cut])), LIMITS).files(LIMITS)
    except Unreadable:
        return  # refused; any other exception fails this test
