"""report.json, grades.csv, the student's folder and the text in them: exact, whole, and safe whatever came in."""

from __future__ import annotations

import csv
import io
import json
import os
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.reports import atomic
from autograder.reports.feedback import feedback_html
from autograder.reports.files import write_report
from autograder.reports.grades import grades_csv, write_grades
from autograder.reports.model import Report
from autograder.reports.rows import Row
from autograder.reports.schema import as_json, dumps, from_json
from autograder.reports.summary import summary_html
from autograder.text import csv_cell, cut, points, visible
from tests.report_checks import UNSAFE, check_safe, terminal
from tests.sample_reports import ada, broken, sample_class, sample_exercise, sample_report

HOSTILE_IDS = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    " =1",
    "＝1+1",
    "<img src=x onerror=alert(1)>",
    "a\nb",
    "a\r\nb",
    "\x1b[2Jgone",
    "ab\u202ecsv.exe",
    "\u2066ab\u2069",
    'ada,"x"',
    "O'Brien",
    "[red]ada[/red]",
    "陈省身",
    "javascript:alert(1)",
    "\ud800",
    "a\u2028b",
    "{{ 7*7 }}",
    "",
    "a\x00b",
    "\ufeffada",
]
# --- report.json ---------------------------------------------------------------------------------------------


def check_schema(data: object) -> None:
    """Schema 1 of the contract, by hand: keys, their order, types and words."""
    assert isinstance(data, dict)
    named = ["schema", "student", "status", "score", "max_score", "bonus", "seed", "notes", "exercises"]
    assert list(data)[: len(named)] == named
    assert list(data)[len(named) :] == ["jail", "jail_remarks"]
    assert data["schema"] == 1
    assert type(data["seed"]) is int
    assert data["status"] in ("graded", "error")
    assert all(type(data[key]) is float for key in ("score", "max_score", "bonus"))
    assert all(type(note) is str for note in data["notes"])
    for exercise in data["exercises"]:
        assert list(exercise) == ["id", "status", "score", "max_score", "tests"]
        assert exercise["status"] in ("passed", "failed", "todo", "missing", "error")
        assert type(exercise["score"]) is float
        assert type(exercise["max_score"]) is float
        for test in exercise["tests"]:
            assert list(test) == ["id", "title", "status", "points", "earned", "message", "misconception"]
            assert test["status"] in ("passed", "failed", "todo", "missing", "error", "timeout", "crashed")
            assert type(test["points"]) is float
            assert type(test["earned"]) is float
            assert all(type(test[key]) is str for key in ("id", "title", "message"))
            assert test["misconception"] is None or type(test["misconception"]) is str


@pytest.mark.parametrize("report", [ada(), ada("zh"), broken(), *sample_class(8)], ids=lambda report: report.student)
def test_report_json_is_schema_1_to_the_letter(report: Report) -> None:
    check_schema(json.loads(dumps(as_json(report))))


def test_report_json_holds_the_instructors_message_and_no_printed_text() -> None:
    text = dumps(as_json(ada()))
    assert "for the instructor" in text
    assert "cleared" not in text
    assert "feedback" not in text


def test_two_runs_write_the_same_bytes_whatever_time_they_took() -> None:
    assert dumps(as_json(ada())) == dumps(as_json(replace(ada(), seconds=99.0, output={"softmax": "other"})))


def test_a_report_read_back_writes_the_same_json() -> None:
    for report in [*sample_class(30), broken()]:
        data = as_json(report)
        assert as_json(from_json(json.loads(dumps(data)))) == data


def test_integers_become_floats_and_sums_of_tenths_are_tidy() -> None:
    data = as_json(Report("ada", "graded", 1, score=3, max_score=100, bonus=0.1 + 0.2))
    assert (type(data["score"]), data["bonus"]) == (float, 0.3)


@pytest.mark.parametrize("score", [float("nan"), float("inf")])
def test_a_score_that_is_no_number_is_never_written(score: float, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="finite"):
        write_report(tmp_path / "ada", Report("ada", "graded", 1, score=score))
    assert not (tmp_path / "ada").exists()


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"schema": 2}, "--fresh"),
        ({"student": None}, "student"),
        ({"score": "6"}, "score"),
        ({"score": True}, "score"),
        ({"score": float("nan")}, "score"),
        ({"seed": 1.5}, "seed"),
        ({"notes": [1]}, "notes"),
        ({"exercises": {}}, "exercises"),
        ({"exercises": [1]}, r"exercises\[0\]"),
        ({"exercises": [{"id": "softmax"}]}, "status"),
    ],
)
def test_a_report_of_another_make_is_refused_with_the_key(change: dict[str, object], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        from_json({**as_json(ada()), **change})
    with pytest.raises(ValueError, match="JSON object"):
        from_json([])


def test_a_long_message_is_cut_and_stays_cut() -> None:
    report = sample_report("ada", [])
    once = as_json(replace(report, notes=("x" * 100_000 + "\x1b",)))
    assert len(once["notes"][0]) <= 4000
    assert once["notes"][0].endswith("…")
    assert as_json(from_json(once)) == once


@pytest.mark.parametrize("student", HOSTILE_IDS)
def test_hostile_ids_end_as_plain_text_everywhere(student: str, tmp_path: Path) -> None:
    report = replace(ada(), student=student, notes=(student,))
    write_report(tmp_path / "folder", report)
    text = (tmp_path / "folder" / "report.json").read_text("utf-8")
    assert not UNSAFE.search(text)
    assert json.loads(text)["student"] == visible(student)

    row = Row.from_report(report, "folder")
    assert visible(student).strip() in check_safe((tmp_path / "folder" / "feedback.html").read_text("utf-8")).text
    for rows in ([row], [replace(row, status="error")]):
        assert visible(student).strip() in check_safe(summary_html(rows)).text

    # The csv module reads back one line of the same width, and its first cell is no formula.
    header, line = csv.reader(io.StringIO(grades_csv([row])))
    assert len(header) == len(line)
    assert line[0].removeprefix("'") == visible(student).removeprefix("'")
    assert not line[0].lstrip().startswith(("=", "+", "-", "@", "\t", "\r", "＝"))

    printed = terminal([row])
    assert not UNSAFE.search(printed)
    assert visible(student)[:8] in printed


def test_text_of_a_submission_is_escaped_wherever_it_gets_in() -> None:
    bad = "<b>x</b>\u202e\x1b[31m"
    exercise = sample_exercise(0, ("failed",) * 4)
    tests = tuple(replace(t, title=bad, feedback=f"{bad}\nHint: `{bad}`", message=bad, misconception=bad, id=bad) for t in exercise.tests)
    report = replace(
        ada(),
        exercises=(replace(exercise, id=bad, title=bad, tests=tests),),
        notes=(bad,),
        jail=bad,
        jail_remarks=(bad,),
        output={bad: bad},
    )
    assert not UNSAFE.search(dumps(as_json(report)))
    for html in (feedback_html(report), summary_html([Row.from_report(report, "x")])):
        check_safe(html)
        assert "<b>x" not in html
        assert "&lt;b&gt;x" in html
    assert not UNSAFE.search(grades_csv([Row.from_report(report)]))
    assert not UNSAFE.search(terminal([Row.from_report(report)]))


# --- files ---------------------------------------------------------------------------------------------------


def test_a_students_folder_holds_these_files_and_no_more(tmp_path: Path) -> None:
    folder = tmp_path / "out" / "ada"
    write_report(folder, ada())
    assert sorted(os.listdir(folder)) == ["feedback.html", "output.txt", "report.json"]
    assert (folder / "output.txt").read_text("utf-8") == "softmax\n    shape (3, 4)\n    \\x1b[2Jcleared\n"
    write_report(folder, replace(ada(), output={}))
    assert sorted(os.listdir(folder)) == ["feedback.html", "report.json"]


def test_printed_lines_cannot_pass_for_a_heading(tmp_path: Path) -> None:
    write_report(tmp_path, replace(ada(), output={"softmax": "attention\n    x"}))
    lines = (tmp_path / "output.txt").read_text("utf-8").splitlines()
    assert [line for line in lines if not line.startswith("    ")] == ["softmax"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("kind", [OSError, KeyboardInterrupt])
def test_an_interrupted_write_leaves_the_old_file_and_no_other(
    step: str, kind: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_report(tmp_path, ada())
    before = {name: (tmp_path / name).read_bytes() for name in os.listdir(tmp_path)}

    def dies(*_: object) -> None:
        raise kind("power cut")

    with monkeypatch.context() as patch:
        patch.setattr(atomic.os, step, dies)
        with pytest.raises(kind):
            write_report(tmp_path, replace(ada(), student="other"))
    assert {name: (tmp_path / name).read_bytes() for name in os.listdir(tmp_path)} == before


def test_the_report_comes_last_so_that_it_stands_for_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    real = os.replace

    def watched(source: Path, target: Path) -> None:
        order.append(target.name)
        real(source, target)

    monkeypatch.setattr(atomic.os, "replace", watched)
    write_report(tmp_path, ada())
    assert order == ["feedback.html", "output.txt", "report.json"]


def test_a_reader_never_sees_half_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "grades.csv"
    atomic.write_atomically(path, "old")
    seen: list[str] = []
    real = os.fsync

    def watched(descriptor: int) -> None:
        seen.append(path.read_text())
        real(descriptor)

    monkeypatch.setattr(atomic.os, "fsync", watched)
    atomic.write_atomically(path, "new" * 100_000)
    assert seen[0] == "old"
    assert path.read_text() == "new" * 100_000


def test_leftovers_of_a_killed_run_are_removed_and_those_of_a_running_one_are_not(tmp_path: Path) -> None:
    stale, fresh, foreign = (tmp_path / name for name in (".report.json.aa.tmp", ".report.json.bb.tmp", ".other.aa.tmp"))
    for file in (stale, fresh, foreign):
        file.write_text("half")
    for file in (stale, foreign):
        os.utime(file, (time.time() - 3600,) * 2)
    write_report(tmp_path, replace(ada(), output={}))
    assert sorted(os.listdir(tmp_path)) == [".other.aa.tmp", ".report.json.bb.tmp", "feedback.html", "report.json"]


def test_files_can_be_read_by_whom_the_umask_lets(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        write_report(tmp_path, ada())
    finally:
        os.umask(old)
    assert (tmp_path / "report.json").stat().st_mode & 0o777 == 0o640


# --- grades.csv ----------------------------------------------------------------------------------------------


def test_grades_csv_survives_the_csv_module(tmp_path: Path) -> None:
    reports = [replace(ada(), student=student) for student in ('ada,"x"', "Évariste", "陈省身", "b")] + [broken("a")]
    write_grades(tmp_path / "grades.csv", [Row.from_report(r) for r in reports])
    assert os.listdir(tmp_path) == ["grades.csv"]
    with open(tmp_path / "grades.csv", encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert list(lines[0]) == [
        "student",
        "score",
        "max_score",
        "bonus",
        "status",
        "softmax",
        "attention",
        "masking",
        "multi_head",
        "kv_cache",
    ]
    assert [line["student"] for line in lines] == sorted(r.student for r in reports)
    assert lines[0] == {**dict.fromkeys(lines[0], ""), "student": "a", "status": "error"}
    for line in lines[1:]:
        scores = [float(line[key]) for key in list(line)[5:]]
        assert (float(line["score"]), float(line["max_score"]), line["status"]) == (12.0, 50.0, "graded")
        assert scores == [6.0, 2.0, 4.0, 0.0, 0.0]


def test_an_exercise_that_was_not_graded_is_empty_and_no_zero() -> None:
    rows = [Row.from_report(sample_report("a", [sample_exercise(1, ("todo",) * 3)])), Row.from_report(ada())]
    first, second = csv.DictReader(io.StringIO(grades_csv(rows)))
    assert (first["attention"], first["softmax"], second["softmax"]) == ("0.0", "", "6.0")


def test_an_empty_class_has_a_header_and_a_page() -> None:
    assert grades_csv([]) == "student,score,max_score,bonus,status\n"
    assert "No submission was found." in check_safe(summary_html([])).text
    assert "student" in terminal([])
    assert "Could not be graded" in check_safe(summary_html([Row.from_report(broken())])).text


# --- text ----------------------------------------------------------------------------------------------------


@given(st.text())
def test_visible_text_has_nothing_unsafe_and_does_not_change_again(text: str) -> None:
    for lines in (False, True):
        shown = visible(text, lines=lines)
        assert not UNSAFE.search(shown.replace("\n", "").replace("\t", "") if lines else shown)
        assert visible(shown, lines=lines) == shown
        shown.encode("utf-8")
    if text.isprintable():
        assert visible(text) == text


@given(st.text(st.sampled_from("=+-@\t\r\n '\",a1\u202e＝ "), max_size=6))
def test_a_csv_cell_is_never_a_formula(text: str) -> None:
    assert csv_cell(text).lstrip()[:1] not in tuple("=+-@\t\r\n＝＋－＠")


def test_escapes_are_readable() -> None:
    assert visible("a\u202eb\x1b\n\U000e0041") == "a\\u202eb\\x1b\\n\\U000e0041"
    assert visible("a\r\nb\tc", lines=True) == "a\nb\tc"
    assert visible("نام‌خانوادگی") == "نام‌خانوادگی"  # with the joiner that Persian spells it with
    assert (cut("abcdef", 4), cut("abcd", 4)) == ("abc…", "abcd")
    assert [points(p) for p in (6.0, 2.5, 1 / 3, 0.0, 100.0)] == ["6", "2.5", "0.33", "0", "100"]
