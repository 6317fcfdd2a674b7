"""Whatever is handed in: each submission of a hostile class is graded, or ends as one row that says what to do, and harms nobody."""

from __future__ import annotations

import csv
import json
import os
import re
import stat
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from autograder.cli import main
from autograder.course import find
from autograder.grading.grader import Grader
from autograder.limits import DEFAULT
from autograder.submissions import Candidate, Unreadable, folder_name, folders, open_submission
from autograder.text import csv_cell, visible
from tests.conftest import jail_or_skip, submission
from tests.handed_in import set_time, write, zipped
from tests.hostile import MODULE, NOT_SOFTMAX, SOFTMAX, WRONG, Case, archives, graded, names, notebooks, systems
from tests.hostile import folders as on_disk
from tests.report_checks import UNSAFE, check_safe

POINTS = float(find("softmax").points)
INNOCENT = [
    graded("innocent", MODULE),
    graded("innocent-zip.zip", zipped(MODULE)),
    graded("innocent-but-wrong", {"exercises/softmax.py": NOT_SOFTMAX}, verdict=WRONG),
]


def test_a_class_of_hostile_files_is_graded_row_by_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    jail_or_skip("auto")
    cases = [*INNOCENT[:1], *archives.cases(), *on_disk.cases(), *names.cases(), *notebooks.cases(), *INNOCENT[1:]]
    cases.append(graded("twice", {"softmax.py": SOFTMAX}, "2 submissions came in"))
    folder = tmp_path / "class"
    folder.mkdir()
    for case in cases:
        case.hand_in(folder)
    write(folder, {"twice.zip": zipped({"softmax.py": NOT_SOFTMAX})})
    set_time(folder / "twice.zip", 1e9)
    _grade_and_check(tmp_path, [folder], cases, monkeypatch, capfd)


def test_what_learning_management_systems_give_is_graded_row_by_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    jail_or_skip("auto")
    paths = systems.hand_in(tmp_path / "class")
    _grade_and_check(tmp_path, paths, systems.CASES, monkeypatch, capfd)


def _grade_and_check(
    tmp_path: Path, paths: Sequence[Path], cases: Sequence[Case], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.chdir(home)
    monkeypatch.setenv("HOME", str(home))
    before = _everything_in(tmp_path)
    out = tmp_path / "out"
    arguments = ["grade", *map(str, paths), "--out", str(out), "--exercise", "softmax"]
    assert main(arguments) == 1
    assert {path: facts for path, facts in _everything_in(tmp_path).items() if not path.startswith("out")} == before
    assert not [marker for marker in (Path("/tmp"), tmp_path.parent) if (marker / archives.MARKER).exists()]

    printed = capfd.readouterr()
    assert "Traceback" not in printed.out + printed.err
    assert not UNSAFE.search(printed.out + printed.err)

    _check_csv(out, [case.id for case in cases])
    problems = [problem for case in cases for problem in _problems(case, out)]
    assert not problems, "\n".join(problems)
    _check_pages(out, cases)


def _everything_in(folder: Path) -> dict[str, tuple[int, int, int]]:
    """What lies below a folder, with kind, size and time; what is made in it or changed shows."""
    found = {}
    for at, folders_in_it, files in os.walk(folder):
        for name in (*folders_in_it, *files):
            path = os.path.join(at, name)
            status = os.lstat(path)
            found[os.path.relpath(path, folder)] = (
                status.st_mode,
                0 if stat.S_ISDIR(status.st_mode) else status.st_size,
                status.st_mtime_ns,
            )
    return found


def _report(out: Path, student: str) -> dict:
    return json.loads((out / folder_name(student) / "report.json").read_text("utf-8"))


def _problems(case: Case, out: Path) -> Iterable[str]:
    """What of a case did not come out as it must."""
    report = _report(out, case.id)
    told = "\n".join(report["notes"])
    verdict = report["exercises"][0]["status"] if report["status"] == "graded" else None
    if verdict != case.verdict:
        why = [test["message"] for exercise in report["exercises"] for test in exercise["tests"]][:1]
        yield f"{case.id!r} is {verdict} in place of {case.verdict}: {told} {why}"
    yield from (f"{case.id!r} says nothing of {words}: {told}" for words in case.says if not re.search(words, told))
    if report["student"] != visible(case.id):
        yield f"{case.id!r} became {report['student']!r}"
    if report["status"] == "error" and (report["exercises"] or len(report["notes"]) > 2 or re.search("the kit's fault|object at 0x", told)):
        yield f"{case.id!r} is no error row with one sentence: {report}"
    if report["max_score"] != POINTS and report["status"] == "graded":
        yield f"{case.id!r} has {report['max_score']} points"
    if verdict == "passed" and report["score"] != POINTS:
        yield f"{case.id!r} has lost points: {report['score']}"


def _check_csv(out: Path, ids: Sequence[str]) -> None:
    """One row for everybody; each id comes back from the table, and none of them is a formula."""
    assert len(set(ids)) == len(ids)
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert {len(row) for row in rows} == {len(header)}
    assert sorted(row[0] for row in rows) == sorted(map(csv_cell, ids))
    assert {row[0].removeprefix("'") for row in rows} == {visible(student).removeprefix("'") for student in ids}
    assert not [row[0] for row in rows if row[0].lstrip()[:1] in tuple("=+-@＝")]
    errors = [dict(zip(header, row, strict=True)) for row in rows if row[4] == "error"]
    assert all(not row["score"] and not row["softmax"] for row in errors)


def _check_pages(out: Path, cases: Sequence[Case]) -> None:
    """Every page is safe to open; the class's shows each student and each reason."""
    summary = check_safe((out / "summary.html").read_text("utf-8")).text
    for case in cases:
        assert " ".join(visible(case.id).split()) in summary
        page = check_safe((out / folder_name(case.id) / "feedback.html").read_text("utf-8"))
        assert " ".join(visible(case.id).split()) in page.text
    files = {path.relative_to(out).parts for path in out.rglob("*") if path.is_file()}
    own = {("grades.csv",), ("summary.html",)}
    allowed = {(folder_name(case.id), name) for case in cases for name in ("report.json", "feedback.html", "output.txt")}
    assert {parts for parts in files if parts[0] != ".autograder"} <= own | allowed


def test_a_students_own_line_is_the_one_that_python_counts(grader: Grader) -> None:
    """Editors know more line ends than Python does: the form feed for one, which the file may hold."""
    source = b"\x0c# one\n# two \x0b \x1c\r\ndef softmax(x, axis=-1):\r    return 1 / 0\n"
    report = grader.grade(submission({"softmax.py": source}), 5, exercises=("softmax",))
    assert "softmax.py, line 4: return 1 / 0" in report.exercises[0].tests[0].feedback


def test_a_file_of_nothing_but_lines_takes_no_time_outside_of_the_jail(grader: Grader) -> None:
    source = b"\n" * 30_000_000 + b"def softmax(x, axis=-1):\n    return 1 / 0\n"
    start = time.process_time()
    report = grader.grade(submission({"softmax.py": source}), 5, exercises=("softmax",))
    assert report.exercises[0].status == "failed"
    assert time.process_time() - start < 5


def test_what_may_not_be_read_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a system call that fails: for root, as whom CI runs, no permission forbids anything."""
    real = os.open

    def forbidding(path, *arguments, **options):
        if os.fspath(path).endswith(("softmax.py", "locked", "locked.zip")):
            raise PermissionError(13, "Permission denied")
        return real(path, *arguments, **options)

    write(tmp_path, {"ada/softmax.py": SOFTMAX, "locked/softmax.py": SOFTMAX, "locked.zip": zipped(MODULE)})
    monkeypatch.setattr(folders.os, "open", forbidding)
    for name in ("ada", "locked", "locked.zip"):
        with pytest.raises(Unreadable, match=r"Permission denied.*check that") as refusal:
            open_submission(Candidate("x", tmp_path / name, 0.0), DEFAULT)
        assert "softmax.py" in str(refusal.value) or "locked" in str(refusal.value)
