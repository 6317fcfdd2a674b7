"""`autograder export`: each format as its reader wants it, no score for who has none, and every id back where it came from."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.cli import main
from autograder.content.layout import Layout
from autograder.export.gradescope_autograder import autograder_zip
from autograder.language import speaking
from autograder.reports.files import write_report
from autograder.reports.model import ExerciseReport, Report
from autograder.submissions import folder_name
from tests.sample_reports import EXERCISES, ada, broken, sample_exercise, sample_report

ODD = ["O'Neil, Seán", 'q"t', "=1+1", "@SUM(A1)", "李雷", "a;b", "-x"]


def full_marks(student: str) -> Report:
    return sample_report(student, [sample_exercise(0, ("passed",) * 4)])


@pytest.fixture
def graded(tmp_path: Path) -> Path:
    """A folder as `grade` leaves it."""
    return tmp_path / "graded"


def write(graded: Path, *reports: Report) -> Path:
    for report in reports:
        write_report(graded / folder_name(report.student), report)
    return graded


def export(graded: Path, to: str, *arguments: str | Path, name: str = "out.csv") -> Path:
    """What the command wrote; its exit code must be 0."""
    out = graded.parent / name
    assert main(["export", str(graded), "--to", to, "--out", str(out), *map(str, arguments)]) == 0
    return out


def rows(text: str | Path, delimiter: str = ",") -> list[list[str]]:
    text = text.read_text("utf-8") if isinstance(text, Path) else text
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=delimiter))


# Canvas

CANVAS = (
    "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Attention (5501),Essay (5502),Current Score\r\n"
    ",,,,,Manual Posting,,(read only)\r\n"
    "    Points Possible,,,,,100.00,20,(read only)\r\n"
    '"Lovelace, Ada",101,S1,ada@uni.example,"CS 1, group ""A""",,18,90\r\n'
    '"O\'Neil, Seán",102,S2,sean,CS 1,55,,\r\n'
    '"Lee, Kim",103,S3,kim1,CS 1,,,\r\n'
    '"Lee, Kim",104,S4,kim2,CS 1,EX,,\r\n'
    '"=HYPERLINK(""x"")",105,S5,=1+1,CS 1,,,\r\n'
    '"Student, Test",106,,x,CS 1,,,\r\n'
)


def test_a_canvas_gradebook_has_the_columns_that_canvas_wants(graded: Path) -> None:
    write(graded, replace(ada(), student="lovelaceada_101", score=87.5), full_marks("sean"))
    assert rows(export(graded, "canvas", "--column", "Attention")) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Attention"],
        ["    Points Possible", "", "", "", "", f"{ada().max_score:g}"],
        ["lovelaceada", "101", "", "", "", "87.5"],
        ["sean", "", "", "sean", "", "6"],
    ]


def test_in_the_gradebook_from_canvas_one_column_is_filled_and_the_rest_stays(graded: Path) -> None:
    write(graded, replace(full_marks("lovelaceada_101"), max_score=100.0), full_marks("S2"), full_marks("leekim_103"), full_marks("=1+1"))
    roster = graded.parent / "roster.csv"
    roster.write_bytes(CANVAS.encode())
    out = export(graded, "canvas", "--roster", roster)
    before, after = rows(CANVAS), rows(out)
    filled = {row[1]: row[5] for row in after[3:]}
    assert filled == {"101": "6", "102": "6", "103": "6", "104": "EX", "105": "6", "106": ""}
    assert [row[:5] + row[6:] for row in after] == [row[:5] + row[6:] for row in before]
    assert [row[5] for row in after[:3]] == [row[5] for row in before[:3]]
    assert out.read_bytes().startswith("\ufeffStudent,ID".encode()) and out.read_bytes().count(b"\r\n") == len(before)


def test_who_is_in_no_row_or_in_more_than_one_is_named_and_never_guessed(graded: Path, capsys) -> None:
    for student in ("leekim_999", "nobody", "Lee, Kim", "lovelaceada_102", "team_102", "kim2"):
        write(graded, full_marks(student))
    roster = graded.parent / "roster.csv"
    roster.write_bytes(CANVAS.encode())
    assert main(["export", str(graded), "--to", "canvas", "--roster", str(roster), "--out", str(graded.parent / "o.csv")]) == 1
    assert rows(graded.parent / "o.csv") == rows(CANVAS)
    told = capsys.readouterr().err
    assert "nobody is in no row" in told and "leekim_999 is in no row" in told
    assert "Lee, Kim could be, and need not be, kim1, kim2" in told
    assert "lovelaceada_102 could be" in told  # the number is Seán's
    assert "team_102 could be" in told  # an id that looks like a name of Canvas's
    assert "excused" in told


def test_two_reports_for_one_row_fill_nothing(graded: Path, capsys) -> None:
    write(graded, full_marks("lovelaceada_101"), full_marks("S1"))
    roster = graded.parent / "roster.csv"
    roster.write_bytes(CANVAS.encode())
    assert main(["export", str(graded), "--to", "canvas", "--roster", str(roster), "--out", str(graded.parent / "o.csv")]) == 1
    assert rows(graded.parent / "o.csv")[3][5] == "" and "S1, lovelaceada_101" in capsys.readouterr().err


def test_a_gradebook_with_semicolons_goes_back_with_semicolons(graded: Path) -> None:
    write(graded, replace(full_marks("S2"), max_score=100.0))
    roster = graded.parent / "roster.csv"
    roster.write_text("Student;ID;SIS Login ID;Section;Attention (1)\n    Points Possible;;;;100,00\nX, Y;7;S2;A;\n", "utf-8")
    assert rows(export(graded, "canvas", "--roster", roster), ";")[2] == ["X, Y", "7", "S2", "A", "6"]


def test_another_maximum_is_said_and_not_scaled_away(graded: Path, capsys) -> None:
    write(graded, full_marks("S2"))
    roster = graded.parent / "roster.csv"
    roster.write_bytes(CANVAS.encode())
    assert main(["export", str(graded), "--to", "canvas", "--roster", str(roster), "--out", str(graded.parent / "o.csv")]) == 1
    assert "100.00 points possible" in capsys.readouterr().err and rows(graded.parent / "o.csv")[4][5] == "6"


# Moodle

WORKSHEET = (
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,Last modified (submission),"
    "Last modified (grade),Feedback comments\r\n"
    'Participant 12,Ada Lovelace,ada@uni.example,Submitted for grading,,100.00,Yes,"Saturday, 1 March 2025, 12:00 PM",-,\r\n'
    'Participant 13,"O\'Neil, Seán",sean@uni.example,No submission,,100.00,Yes,-,-,old\r\n'
    "Participant 14,Kim Lee,kim1@uni.example,Submitted for grading,50,100.00,No,-,-,\r\n"
    "Participant 15,Kim Lee,kim2@uni.example,Submitted for grading,,100.00,Yes,-,-,\r\n"
)


def worksheet(graded: Path, text: str = WORKSHEET) -> Path:
    path = graded.parent / "worksheet.csv"
    path.write_bytes(text.encode())
    return path


def test_in_moodles_worksheet_grade_and_feedback_are_filled_and_the_rest_stays(graded: Path) -> None:
    hundred = replace(ada(), max_score=100.0, score=81.25)
    write(
        graded,
        replace(hundred, student="Ada Lovelace_12"),
        replace(hundred, student="sean@uni.example"),
        replace(hundred, student="Kim Lee_15"),
    )
    after, before = rows(export(graded, "moodle", "--roster", worksheet(graded))), rows(WORKSHEET)
    assert [row[4] for row in after] == ["Grade", "81.25", "81.25", "50", "81.25"]
    assert [row[:4] + row[5:9] for row in after] == [row[:4] + row[5:9] for row in before]
    assert after[1][9].startswith("81.25 / 100") and after[3][9] == ""


def test_a_locked_grade_of_moodles_stays(graded: Path, capsys) -> None:
    write(graded, replace(full_marks("Kim Lee_14"), max_score=100.0))
    arguments = ["export", str(graded), "--to", "moodle", "--roster", str(worksheet(graded)), "--out", str(graded.parent / "o.csv")]
    assert main(arguments) == 1
    assert rows(graded.parent / "o.csv") == rows(WORKSHEET) and "locked" in capsys.readouterr().err


def test_a_chinese_worksheet_is_filled_too(graded: Path) -> None:
    text = "标识符,全名,状态,成绩,最高分,允许更改成绩,上次修改（评分）\n参与人12,王 小明,已提交,,100.00,是,-\n"
    write(graded, replace(full_marks("王 小明_12"), max_score=100.0))
    path = worksheet(graded, text)
    assert main(["export", str(graded), "--to", "moodle", "--roster", str(path), "--out", str(graded.parent / "o.csv")]) == 1  # no comments
    assert rows(graded.parent / "o.csv")[1][3] == "6"


def test_a_table_for_moodles_import_has_the_columns_of_both_imports(graded: Path) -> None:
    write(graded, full_marks("Ada Lovelace_12"), full_marks("kim@uni.example"), full_marks("s3"))
    header, *students = rows(export(graded, "moodle"))
    assert header == [
        "Identifier",
        "Full name",
        "ID number",
        "Email address",
        "Grade",
        "Maximum Grade",
        "Last modified (grade)",
        "Feedback comments",
    ]
    assert [row[:6] for row in students] == [
        ["Participant 12", "Ada Lovelace", "", "", "6", "6"],
        ["", "", "", "kim@uni.example", "6", "6"],
        ["", "", "s3", "", "6", "6"],
    ]


def test_moodles_feedback_is_html_that_shows_the_text(graded: Path) -> None:
    exercise = sample_exercise(1, ("failed", "failed", "passed"))
    tests = tuple(replace(test, feedback="a <b>&</b> b") for test in exercise.tests)
    write(graded, sample_report("s3", [replace(exercise, tests=tests)]))
    assert "a &lt;b&gt;&amp;&lt;/b&gt; b" in rows(export(graded, "moodle"))[1][-1]


# Gradescope


def gradescope(graded: Path, *arguments: str) -> dict:
    return json.loads(export(graded, "gradescope", *arguments, name="results.json").read_text("utf-8"))


def test_gradescopes_results_have_a_score_and_every_test_with_what_the_student_may_read(graded: Path) -> None:
    report = ada()
    write(graded, report)
    data = gradescope(graded)
    assert data["score"] == report.score and data["stdout_visibility"] == "hidden"
    core = [t for t in data["tests"] if "score" in t]
    assert sum(t["score"] for t in core) == pytest.approx(report.score)
    assert sum(t["max_score"] for t in core) == pytest.approx(report.max_score)
    all_tests = [(e, t) for e in report.exercises for t in e.tests]
    assert len(data["tests"]) == len(all_tests)
    for (exercise, test), shown in zip(all_tests, data["tests"], strict=True):
        assert shown["name"].endswith(f": {test.title}") and shown["visibility"] == "visible"
        assert (shown["extra_data"]["exercise"], shown["extra_data"]["test"]) == (exercise.id, test.id)
        assert shown["status"] == ("passed" if test.status == "passed" else "failed")
        for line in test.feedback.split("\n"):
            assert line.strip() in shown["output"] or line.startswith("Hint:"), (line, shown["output"])


def test_the_bonus_is_extra_credit_where_it_is_asked_for_and_counts_nothing_where_not(graded: Path) -> None:
    report = sample_report("ada", [sample_exercise(0, ("passed",) * 4), bonus_exercise()])
    write(graded, report)
    assert report.bonus > 0
    without, included = gradescope(graded), gradescope(graded, "--bonus")
    assert (without["score"], included["score"]) == (report.score, report.score + report.bonus)
    extra = included["tests"][4:]
    assert [t["max_score"] for t in extra] == [0.0] * len(extra) and sum(t["score"] for t in extra) == report.bonus
    assert not any("score" in t for t in without["tests"][4:])
    canvas = [rows(export(graded, "canvas", *more))[2][5] for more in ((), ("--bonus",))]
    assert canvas == [f"{report.score:g}", f"{report.score + report.bonus:g}"]


def bonus_exercise() -> ExerciseReport:
    number = next(i for i, exercise in enumerate(EXERCISES) if exercise.bonus)
    return sample_exercise(number, ("passed",) * len(EXERCISES[number].tests))


def test_the_results_of_a_class_are_a_zip_or_a_folder(graded: Path) -> None:
    write(graded, full_marks("ada"), full_marks("=1+1"), full_marks("bo"))
    names = {f"{folder_name(s)}/results.json" for s in ("ada", "=1+1", "bo")}
    with zipfile.ZipFile(export(graded, "gradescope", name="all.zip")) as bundle:
        assert set(bundle.namelist()) == names
    folder = export(graded, "gradescope", name="all")
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*.json")} == names
    out = str(graded.parent / "one.json")
    assert main(["export", str(graded), "--to", "gradescope", "--out", out]) == 2


def test_gradescopes_autograder_runs_this_kit_on_whatever_was_uploaded(tmp_path: Path) -> None:
    """The grading itself is a stand-in here: that pip can install the zip's kit is too slow to be tried each time."""
    with zipfile.ZipFile(io.BytesIO(autograder_zip(Layout(), lang="zh", bonus=True, seed=7))) as bundle:
        bundle.extractall(tmp_path / "source")
        modes = {name: bundle.getinfo(name).external_attr >> 16 & 0o777 for name in ("setup.sh", "run_autograder")}
        names = bundle.namelist()
    assert modes == {"setup.sh": 0o755, "run_autograder": 0o755}
    assert {
        "kit/pyproject.toml",
        "kit/autograder/hidden/test_softmax.py",
        "kit/solutions/softmax.py",
        "kit/exercises/tests/hints.json",
    } <= set(names)
    assert not any("__pycache__" in name or name.startswith("kit/tests/") for name in names)
    packages = (tmp_path / "source" / "requirements.txt").read_text()
    assert "numpy" in packages and "nbgrader" not in packages
    (tmp_path / "submission" / "a folder").mkdir(parents=True)
    (tmp_path / "submission" / "a folder" / "softmax.py").write_text("x = 1")
    fake = tmp_path / "venv" / "bin" / "autograder"
    fake.parent.mkdir(parents=True)
    fake.write_text('#!/bin/sh\necho "$@"\n[ "$1" = grade ] && find "$2" -name "*.py" | sed "s|.*/submitted/||"\nexit 0\n')
    fake.chmod(0o755)
    for script in ("setup.sh", "run_autograder"):
        subprocess.run(["bash", "-n", tmp_path / "source" / script], check=True)
    command = ["bash", str(tmp_path / "source" / "run_autograder")]
    ran = subprocess.run(
        command, env={"AUTOGRADER_ROOT": str(tmp_path), "PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=True
    )
    graded, found, exported = ran.stdout.splitlines()
    assert graded.startswith("grade ") and graded.endswith("--jobs 1 --seed 7 --jail auto --lang zh")
    assert found == "student/attention/a folder/softmax.py"
    assert exported.endswith(f"--to gradescope --out {tmp_path}/results/results.json --lang zh --bonus")


# a plain table, and what holds for all


def test_the_plain_table_has_a_row_for_each_student_and_test(graded: Path) -> None:
    report = ada()
    write(graded, report, broken("grace"))
    header, *table = rows(export_with_warnings(graded, "csv"))
    tests = [(e.id, t.id, t.status, str(float(t.points)), str(float(t.earned))) for e in report.exercises for t in e.tests]
    places = [header.index(name) for name in ("exercise", "test", "test_status", "points", "earned")]
    assert [tuple(row[i] for i in places) for row in table if row[0] == "ada"] == tests
    assert [row for row in table if row[0] == "grace"] == [["grace", "error", *[""] * (len(header) - 2)]]


def export_with_warnings(graded: Path, to: str, *arguments: str | Path) -> Path:
    out = graded.parent / f"{to}.csv"
    assert main(["export", str(graded), "--to", to, "--out", str(out), *map(str, arguments)]) == 1
    return out


@pytest.mark.parametrize("to", ["canvas", "moodle", "csv", "gradescope"])
def test_who_could_not_be_graded_gets_no_score_and_a_warning_and_never_a_zero(graded: Path, to: str, capsys) -> None:
    write(graded, replace(broken("grace"), max_score=100.0))
    name = "results.json" if to == "gradescope" else "o.csv"
    (graded.parent / "results.json").write_text("of an earlier run")
    assert main(["export", str(graded), "--to", to, "--out", str(graded.parent / name)]) == 1
    assert "grace could not be graded" in capsys.readouterr().err
    if to == "gradescope":
        assert not (graded.parent / name).exists()
    else:
        assert "0" not in [cell for row in rows(graded.parent / name)[-1:] for cell in row]


def test_a_row_of_an_lms_keeps_its_grade_where_there_is_none_to_give(graded: Path) -> None:
    write(graded, replace(broken("S2"), max_score=100.0))
    roster = graded.parent / "roster.csv"
    roster.write_bytes(CANVAS.encode())
    assert rows(export_with_warnings(graded, "canvas", "--roster", roster)) == rows(CANVAS)


@pytest.mark.parametrize("student", ODD)
def test_any_id_finds_its_row_again_and_is_no_formula_in_a_spreadsheet(graded: Path, student: str) -> None:
    write(graded, replace(full_marks(student), max_score=100.0))
    out = io.StringIO(newline="")
    csv.writer(out).writerows(
        [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "attention"], ["A, B", "9", student, "login", "S", ""]]
    )
    roster = graded.parent / "roster.csv"
    roster.write_text(out.getvalue(), "utf-8")
    assert rows(export(graded, "canvas", "--roster", roster))[1] == ["A, B", "9", student, "login", "S", "6"]
    cells = [cell for row in rows(export(graded, "csv"))[1:] for cell in row]
    assert any(cell.lstrip("'") == student.lstrip("'") for cell in cells)
    assert not any(cell.lstrip().startswith(("=", "+", "-", "@")) for cell in cells)


@pytest.mark.parametrize("to", ["canvas", "moodle"])
def test_a_new_table_for_an_lms_holds_no_formula_either(graded: Path, to: str) -> None:
    write(graded, full_marks("=1+1"), full_marks("=cmd_12"))
    cells = [cell for row in rows(export_with_warnings(graded, to))[1:] for cell in row]
    assert not any(cell.lstrip().startswith(("=", "+", "-", "@")) for cell in cells)


def test_nothing_of_the_instructors_goes_out(graded: Path) -> None:
    exercise = sample_exercise(1, ("failed", "failed", "passed"))
    tests = tuple(replace(test, message=f"{test.feedback}\nSECRET 0.7315", feedback=test.feedback) for test in exercise.tests)
    report = sample_report("ada", [replace(exercise, tests=tests)], notes=("SECRET note",), output={"attention": "SECRET print"})
    write(graded, report)
    assert "SECRET" in (graded / "ada" / "report.json").read_text()
    written = [export(graded, to).read_text() for to in ("canvas", "moodle", "csv")] + [json.dumps(gradescope(graded))]
    assert not any("SECRET" in text or "8317" in text for text in written)  # 8317: the seed
    assert "Called scaled_dot_product_attention" in written[1] and "Called scaled_dot_product_attention" in written[3]


def test_without_the_feedback_page_the_tests_are_named_and_nothing_is_made_up(graded: Path) -> None:
    write(graded, ada())
    (graded / "ada" / "feedback.html").unlink()
    assert all(
        t["output"] in ("passed", "not yet right", "to do", "missing", "error", "timed out", "crashed") for t in gradescope(graded)["tests"]
    )


def test_a_report_that_is_broken_stops_no_other(graded: Path, capsys) -> None:
    write(graded, full_marks("ada"), full_marks("bo"))
    (graded / "bo" / "report.json").write_text('{"schema": 1')
    assert [row[0] for row in rows(export_with_warnings(graded, "canvas"))[2:]] == ["ada"]
    assert "bo/report.json" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["nowhere", "--to", "csv"],
        ["empty", "--to", "csv"],
        ["--to", "csv"],
        ["graded", "--to", "csv", "--roster", "roster.csv"],
        ["graded", "--to", "csv", "--column", "x"],
        ["graded", "--to", "canvas", "--roster", "nowhere.csv"],
        ["graded", "--to", "canvas", "--roster", "worksheet.csv"],
        ["graded", "--to", "canvas", "--roster", "roster.csv", "--column", "Homework"],
        ["graded", "--to", "moodle", "--roster", "roster.csv"],
        ["graded", "--to", "canvas", "--roster", "latin.csv"],
        ["graded", "--to", "canvas", "--out", "empty"],
    ],
)
def test_arguments_that_cannot_be_used_end_with_2(graded: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    write(graded, full_marks("ada"))
    folder = graded.parent
    (folder / "empty").mkdir()
    (folder / "roster.csv").write_bytes(CANVAS.encode())
    (folder / "latin.csv").write_bytes("Student,ID\nSeán,1\n".encode("latin-1"))
    worksheet(graded)
    monkeypatch.chdir(folder)
    assert main(["export", *arguments, *([] if "--out" in arguments else ["--out", "o.csv"])]) == 2
    assert capsys.readouterr().err.startswith("autograder export: ")
    assert not (folder / "o.csv").exists()


def test_feedback_and_titles_speak_the_language_of_the_reports(graded: Path) -> None:
    with speaking("zh"):
        write(graded, ada("zh"))
    text = rows(export(graded, "moodle", "--lang", "zh"))[1][-1]
    assert "调用了" in text and "附加分" in text
