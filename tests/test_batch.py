"""A class: every submission gets its row, whatever the others are; what is graded already is not graded twice."""

from __future__ import annotations

import csv
import io
import json
import shutil
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder import pool
from autograder.batch import STATE, Options, grade_class
from autograder.cli import main
from autograder.course import COURSE, MAX_SCORE
from autograder.crew import LocalCrew
from autograder.limits import DEFAULT
from autograder.submissions import discover
from tests.conftest import jail_or_skip, solutions, stubs

WRONG_SOFTMAX = b"def softmax(x, axis=-1):\n    return x\n"


@pytest.fixture(scope="module", autouse=True)
def _jail() -> None:
    jail_or_skip("auto")


def write_folder(folder: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def write_zip(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def write_tar(path: Path, files: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(f"attention/{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


def grade(*arguments: object) -> int:
    return main(["grade", *map(str, arguments)])


def rows(out: Path) -> dict[str, dict[str, str]]:
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def report(out: Path, student: str) -> dict:
    return json.loads((out / student / "report.json").read_text("utf-8"))


@pytest.fixture
def mixed_class(tmp_path: Path) -> Path:
    folder = tmp_path / "class"
    write_folder(folder / "ada", solutions())
    write_zip(folder / "bo.zip", {**solutions(), "exercises/softmax.py": WRONG_SOFTMAX})
    write_tar(folder / "chen.tar.gz", solutions())
    (folder / "dana.zip").write_bytes(b"PK\x03\x04 this is no archive")
    write_zip(folder / "emil.zip", {})
    write_folder(folder / "farah", stubs())
    return folder


def test_a_mixed_class(mixed_class: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert grade(mixed_class, "--out", out) == 1
    got = rows(out)
    assert list(got) == ["ada", "bo", "chen", "dana", "emil", "farah"]
    assert {student: (row["score"], row["status"]) for student, row in got.items()} == {
        "ada": (str(MAX_SCORE), "graded"),
        "bo": (str(MAX_SCORE - 6), "graded"),
        "chen": (str(MAX_SCORE), "graded"),
        "dana": ("", "error"),
        "emil": ("0.0", "graded"),
        "farah": ("0.0", "graded"),
    }
    assert {e["status"] for e in report(out, "emil")["exercises"]} == {"missing"}
    assert {e["status"] for e in report(out, "farah")["exercises"]} == {"todo"}
    assert report(out, "dana")["status"] == "error"
    assert report(out, "dana")["notes"]
    assert (out / "summary.html").is_file()
    assert all((out / student / "feedback.html").is_file() for student in got)
    assert "dana" in capsys.readouterr().out


def test_folder_zip_and_tar_get_the_same_report(tmp_path: Path) -> None:
    files = {**solutions(), "exercises/softmax.py": WRONG_SOFTMAX}
    paths = {
        "folder": write_folder(tmp_path / "folder" / "ada", files),
        "zip": write_zip(tmp_path / "ada.zip", files),
        "tar": write_tar(tmp_path / "ada.tgz", files),
    }
    texts = set()
    for kind, path in paths.items():
        assert grade(path, "--out", tmp_path / "out" / kind, "--seed", 5) == 0
        texts.add((tmp_path / "out" / kind / "ada" / "report.json").read_bytes())
    assert len(texts) == 1


def test_the_report_is_the_contracts(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert grade(write_folder(tmp_path / "ada", stubs()), "--out", out, "--seed", 5, "--exercise", "softmax") == 0
    data = report(out, "ada")
    assert list(data)[:9] == ["schema", "student", "status", "score", "max_score", "bonus", "seed", "notes", "exercises"]
    assert (data["schema"], data["student"], data["seed"], data["max_score"]) == (1, "ada", 5, 6.0)
    (exercise,) = data["exercises"]
    assert set(exercise) == {"id", "status", "score", "max_score", "tests"}
    assert set(exercise["tests"][0]) == {"id", "title", "status", "points", "earned", "message", "misconception"}


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Grades in this process, and keeps the students in the order in which they were graded."""
    graded: list[str] = []
    real = pool.grade_job

    def count(job: pool.Job) -> object:
        graded.append(job.submission.student)
        return real(job)

    monkeypatch.setattr("autograder.crew.grade_job", count)
    return graded


class Here:
    """An executor that does the work at once, in this process."""

    def submit(self, function: Callable, *arguments: object) -> object:
        from concurrent.futures import Future

        future: Future = Future()
        try:
            future.set_result(function(*arguments))
        except BaseException as error:
            future.set_exception(error)
        return future

    def shutdown(self, **how: object) -> None:
        pass


def run(paths: list[Path], out: Path, **changes: object) -> list[bool]:
    """Grade in this process; for each submission whether an earlier run had graded it."""
    facts = {"jail": jail_or_skip("auto"), "limits": DEFAULT, "exercises": ("softmax",), "crew": LocalCrew(2, Here)} | changes
    return [step.skipped for step in grade_class(discover(paths, DEFAULT).candidates, out, Options(**facts))]  # type: ignore[arg-type]


def test_what_is_graded_is_not_graded_twice(tmp_path: Path, counted: list[str]) -> None:
    folder, out = tmp_path / "class", tmp_path / "out"
    for student in ("ada", "bo"):
        write_folder(folder / student, stubs())
    assert run([folder], out) == [False, False]
    before = (out / "grades.csv").read_bytes()
    assert run([folder], out) == [True, True]
    assert (out / "grades.csv").read_bytes() == before
    write_folder(folder / "bo", {"exercises/softmax.py": WRONG_SOFTMAX})
    assert run([folder], out) == [True, False]
    assert counted == ["ada", "bo", "bo"]


@pytest.mark.parametrize("change", [{"fresh": True}, {"seed": 12}, {"lang": "zh"}, {"exercises": ("attention",)}])
def test_another_way_of_grading_grades_again(tmp_path: Path, counted: list[str], change: dict) -> None:
    folder, out = write_folder(tmp_path / "ada", stubs()), tmp_path / "out"
    assert run([folder], out) == [False]
    assert run([folder], out, **change) == [False]


def test_a_report_that_came_from_elsewhere_is_not_believed(tmp_path: Path, counted: list[str]) -> None:
    folder, out = write_folder(tmp_path / "ada", stubs()), tmp_path / "out"
    run([folder], out)
    path = out / "ada" / "report.json"
    forged = json.loads(path.read_text("utf-8"))
    forged["score"] = 6.0
    path.write_text(json.dumps(forged), "utf-8")
    assert run([folder], out) == [False]
    assert report(out, "ada")["score"] == 0
    shutil.rmtree(out / STATE / "ledger")
    assert run([folder], out) == [False]


def test_a_run_that_was_stopped_goes_on(tmp_path: Path, counted: list[str]) -> None:
    folder, out = tmp_path / "class", tmp_path / "out"
    for i in range(40):
        write_folder(folder / f"student-{i}", stubs())
    options = Options(jail_or_skip("auto"), DEFAULT, ("softmax",), crew=LocalCrew(2, Here))  # type: ignore[arg-type]
    steps = grade_class(discover([folder], DEFAULT).candidates, out, options)
    stopped = [next(steps).row.student for _ in range(2)]
    steps.close()
    written = {path.parent.name for path in out.glob("*/report.json")}
    assert set(stopped) <= set(rows(out)) == written
    assert len(written) < 40
    assert run([folder], out).count(True) == len(written)
    assert len(rows(out)) == 40
    assert len(counted) < 40 + 2 * 2  # what was under way when it stopped, and no more


def test_the_seed_is_drawn_once_and_kept_where_students_do_not_look(tmp_path: Path, counted: list[str]) -> None:
    folder, out = write_folder(tmp_path / "ada", stubs()), tmp_path / "out"
    run([folder], out)
    seed = report(out, "ada")["seed"]
    run([folder], out, fresh=True)
    assert report(out, "ada")["seed"] == seed
    run([folder], tmp_path / "other")
    assert report(tmp_path / "other", "ada")["seed"] != seed
    assert str(seed) not in (out / "ada" / "feedback.html").read_text("utf-8")


def explode(job: pool.Job) -> object:
    raise ZeroDivisionError("a bug of the kit's")


def test_a_fault_of_the_kits_is_an_error_row_and_stops_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = pool.grade_job
    monkeypatch.setattr("autograder.crew.grade_job", lambda job: (explode if job.submission.student == "ada" else real)(job))
    folder, out = tmp_path / "class", tmp_path / "out"
    for student in ("ada", "bo"):
        write_folder(folder / student, stubs())
    run([folder], out)
    assert {student: row["status"] for student, row in rows(out).items()} == {"ada": "error", "bo": "graded"}
    assert "ZeroDivisionError" in report(out, "ada")["notes"][-1]


@pytest.mark.parametrize(
    "arguments",
    [
        ["nowhere", "--out", "out"],
        ["class"],
        ["class", "--out", "out", "--exercise", "nothing"],
        ["class", "--out", "out", "--jobs", "0"],
        ["class", "--out", "out", "--jail", "chroot"],
        ["class", "--out", "out", "--seed", "-1"],
        ["class", "--out", "class/file"],
    ],
)
def test_unusable_arguments_exit_with_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_folder(Path("class"), {"file": b"", ".hidden": b""})
    try:
        code = main(["grade", *arguments])
    except SystemExit as stop:
        code = int(stop.code or 0)
    assert code == 2
    assert capsys.readouterr().err


def test_the_course_adds_up() -> None:
    assert sum(e.points for e in COURSE if not e.bonus) == MAX_SCORE
    ids = [e.id for e in COURSE]
    assert len(set(ids)) == len(ids)
    for i, exercise in enumerate(COURSE):
        assert set(exercise.builds_on) <= set(ids[:i])
