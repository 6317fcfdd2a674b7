"""All of tests/attacks in one batch between two innocent submissions, under each jail, by root and by an ordinary user.

The batch runs in the folder of a hostile submission, as that of an instructor who looks into it before grading would.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import solutions
from autograder import hidden
from autograder.course import COURSE
from tests.attacks import FOLDER, Attack, attacks
from tests.attacks.grading import SEED, grade
from tests.conftest import JAILS, ROOT, jail_or_skip
from tests.conftest import solutions as right_files

ALL = attacks()
SOME = ALL[::3]  # for an ordinary user
STUDENT_OF_CWD = "shadowing-names-of-the-library"
PARTLY_WRONG = b"import numpy as np\n\n\ndef softmax(x, axis=-1):\n    e = np.exp(x)\n    return e / e.sum(axis=axis, keepdims=True)\n"
FIRST, LAST = "aa-innocent", "zz-innocent"
INNOCENT = {FIRST: right_files()["exercises/softmax.py"], LAST: PARTLY_WRONG}
LEFT = "attack-left"  # begins the name of whatever an attack leaves behind: files, folders, processes
NOBODY = 65534
AS_NOBODY: dict[str, Any] = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
SECONDS_TO_DIE = 5.0
# Python's own packages that the grader needs and that are the same for every interpreter.
PURE = ("pytest", "_pytest", "pluggy", "iniconfig", "pygments", "jinja2", "markupsafe", "packaging")


@dataclass(frozen=True)
class Graded:
    """A graded class: its submissions and its reports, in `base`. python: the ordinary user's interpreter; None grades here."""

    base: Path
    chosen: Sequence[Attack]
    jail: str
    python: str | None

    @property
    def submissions(self) -> Path:
        return self.base / "class"

    @property
    def out(self) -> Path:
        return self.base / "out"

    def grade(self, submissions: Path, out: Path) -> None:
        """Grade a class in one batch, as this user or as the ordinary one, in the folder of a hostile submission."""
        exercises, home = exercises_of(self.chosen), str(self.base / "home")
        attacker = self.submissions / STUDENT_OF_CWD
        where = attacker if attacker.exists() else Path("/")
        if self.python is None:
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("TMPDIR", home)
                patch.chdir(where)
                grade(submissions, out, self.jail, exercises)
            return
        out.mkdir()
        os.chown(out, NOBODY, NOBODY)
        command = [self.python, "-P", "-m", "tests.attacks.grading", str(submissions), str(out), self.jail, *exercises]
        environment = {"PATH": "/usr/bin:/bin", "HOME": home, "TMPDIR": home, "LANG": "C.UTF-8"}
        environment["PYTHONPATH"] = f"{self.base / 'kit'}:{self.base / 'packages'}"
        done = subprocess.run(command, cwd=where, env=environment, capture_output=True, text=True, **AS_NOBODY)
        assert done.returncode == 0, done.stderr[-4000:]

    def report(self, student: str) -> dict[str, Any]:
        return json.loads((self.out / student / "report.json").read_text("utf-8"))

    def feedback(self, student: str) -> str:
        return (self.out / student / "feedback.html").read_text("utf-8")

    def printed(self, student: str) -> str:
        path = self.out / student / "output.txt"
        return path.read_text("utf-8") if path.exists() else ""


def exercises_of(chosen: Sequence[Attack]) -> list[str]:
    attacked = {attack.exercise for attack in chosen}
    return [exercise.id for exercise in COURSE if exercise.id in attacked]


def write_class(folder: Path, students: dict[str, dict[str, str | bytes]]) -> None:
    """Submissions, a folder each, which every user can read."""
    for student, files in students.items():
        for name, content in files.items():
            path = folder / student / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)


def submissions_of(chosen: Sequence[Attack], outside: str) -> dict[str, dict[str, str | bytes]]:
    """Those of the attackers, with what they share, and the innocent ones, whose names come first and last."""
    shared = {"exercises/attack_kit.py": (FOLDER / "attack_kit.py").read_text("utf-8"), "exercises/outside.py": outside}
    students: dict[str, dict[str, str | bytes]] = {student: {"exercises/softmax.py": module} for student, module in INNOCENT.items()}
    return students | {attack.id: {**shared, **attack.files} for attack in chosen}


def what_is_outside(submissions: Path, out: Path) -> str:
    """A module that tells an attacker more of this machine than any student knows."""
    files = [Path(hidden.__file__).with_name("test_softmax.py"), Path(solutions.__file__).with_name("softmax.py"), Path(__file__)]
    files += [submissions / FIRST / "exercises/softmax.py", out / FIRST / "report.json", out / "grades.csv", Path("/etc/os-release")]
    facts = {
        "PATHS": [str(path) for path in files],
        "FOLDERS": [str(folder) for folder in (submissions, out, ROOT, Path.home(), Path(hidden.__file__).parent)],
        "PROCESSES": [os.getpid(), os.getppid()],
        "SEED_HASH": hashlib.sha256(str(SEED).encode()).hexdigest(),
        "MARKER": str(out / f"{LEFT}-marker"),
    }
    return "".join(f"{name} = {value!r}\n" for name, value in facts.items())


def interpreter_for_others() -> str:
    """A Python that an ordinary user can run, with NumPy and msgpack."""
    for python in (sys.executable, "/usr/bin/python3"):
        command = [python, "-c", "import msgpack, numpy, sys; assert sys.version_info >= (3, 11)"]
        try:
            if subprocess.run(command, cwd="/", capture_output=True, **AS_NOBODY).returncode == 0:
                return python
        except OSError:
            continue
    if os.environ.get("CI"):
        pytest.fail("CI needs a Python that an ordinary user can run, with NumPy and msgpack: install python3-numpy and python3-msgpack")
    pytest.skip("no Python that an ordinary user can run has NumPy and msgpack")


def copy_the_kit(base: Path, python: str) -> None:
    """The kit, and what it needs of pure Python, where an ordinary user can read it."""
    for name in ("autograder", "solutions", "exercises"):
        shutil.copytree(ROOT / name, base / "kit" / name, ignore=shutil.ignore_patterns("__pycache__"))
    (base / "kit/tests/attacks").mkdir(parents=True)
    for name in ("tests/__init__.py", "tests/attacks/__init__.py", "tests/attacks/grading.py"):
        shutil.copy(ROOT / name, base / "kit" / name)
    for spec in filter(None, map(importlib.util.find_spec, PURE)):
        if python != sys.executable and spec.submodule_search_locations:
            ignored = shutil.ignore_patterns("__pycache__", "*.so")
            shutil.copytree(spec.submodule_search_locations[0], base / "packages" / spec.name, ignore=ignored)
    for path in (base / "kit").rglob("*"):
        path.chmod(path.stat().st_mode | (0o755 if path.is_dir() else 0o644))


@pytest.fixture(scope="module", params=[(jail, user) for user in ("this user", "an ordinary user") for jail in JAILS], ids=" ".join)
def graded(request: pytest.FixtureRequest) -> Iterator[Graded]:
    """The whole class, graded in one batch."""
    jail, user = request.param
    ordinary = user != "this user"
    if ordinary and os.geteuid() != 0:
        pytest.skip("this user is an ordinary one")
    jail_or_skip(jail)
    python = interpreter_for_others() if ordinary else None
    with tempfile.TemporaryDirectory(prefix="attacked-") as folder:
        os.chmod(folder, 0o755)
        base = Path(folder)
        (base / "home").mkdir(mode=0o755)
        if python is not None:
            os.chown(base / "home", NOBODY, NOBODY)
            copy_the_kit(base, python)
        graded = Graded(base, SOME if ordinary else ALL, jail, python)
        write_class(graded.submissions, submissions_of(graded.chosen, what_is_outside(graded.submissions, graded.out)))
        graded.grade(graded.submissions, graded.out)
        yield graded


def test_every_attack_ends_as_declared(graded: Graded) -> None:
    wrong = {attack.id: problem for attack in graded.chosen if (problem := problem_of(graded, attack))}
    assert wrong == {}


def problem_of(graded: Graded, attack: Attack) -> str:
    """What did not come out as it must, with what is needed to see why; empty where all did."""
    report, printed = graded.report(attack.id), graded.printed(attack.id)
    if report["status"] != "graded":
        return f"the submission is an error: {report['notes']}"
    if breaches := [line for line in printed.splitlines() if "BREACH" in line]:
        return "\n".join(breaches)
    if attack.kind == "finding" and "right" in attack.expected and "HELD" not in printed:
        return f"it did not even try: {printed[-1000:]}"
    exercise = next(exercise for exercise in report["exercises"] if exercise["id"] == attack.exercise)
    statuses = {test["status"] for test in exercise["tests"]}
    score = report["score"] + report["bonus"]
    if statuses == {"passed"} and "right" in attack.expected and score == exercise["max_score"]:
        return ""
    if score == 0 and statuses - {"passed"} and statuses - {"passed"} <= attack.expected:
        return ""
    tests = [(test["id"], test["status"], test["earned"], test["message"][:300]) for test in exercise["tests"]]
    return f"expected {sorted(attack.expected)}, got {score} points for {tests}"


def test_the_innocent_get_the_reports_that_they_get_alone(graded: Graded) -> None:
    for student, module in INNOCENT.items():
        submissions, out = graded.base / f"only {student}", graded.base / f"reports of {student}"
        write_class(submissions, {student: {"exercises/softmax.py": module}})
        graded.grade(submissions, out)
        alone, batch = out / student, graded.out / student
        assert sorted(path.name for path in batch.iterdir()) == sorted(path.name for path in alone.iterdir())
        for path in alone.iterdir():
            assert (batch / path.name).read_bytes() == path.read_bytes(), path.name
    assert graded.report(FIRST)["score"] == 6.0
    assert 0.0 < graded.report(LAST)["score"] < 6.0


def test_every_submission_has_its_row_and_its_reports(graded: Graded) -> None:
    students = [FIRST, *(attack.id for attack in graded.chosen), LAST]
    rows = (graded.out / "grades.csv").read_text("utf-8").splitlines()[1:]
    assert sorted(row.split(",")[0] for row in rows) == sorted(students)
    assert {row.split(",")[4] for row in rows} == {"graded"}
    assert (graded.out / "summary.html").stat().st_size > 1000


def test_nothing_that_attackers_bring_out_reaches_a_page_of_theirs(graded: Graded) -> None:
    for attack in graded.chosen:
        page = graded.feedback(attack.id)
        for unwanted in ("LEAK", "HELD", "BREACH", "<script>", "\x1b", "\u202e", str(SEED)):
            assert unwanted not in page, (attack.id, unwanted)
        assert re.findall(r"\d\.\d{4,}", page) == [], attack.id  # hidden inputs are random numbers of many digits


def test_a_line_that_a_page_shows_was_handed_in(graded: Graded) -> None:
    shown = 0
    for attack in graded.chosen:
        module = attack.files[f"exercises/{attack.exercise}.py"].splitlines()
        for told in (test["message"] for exercise in graded.report(attack.id)["exercises"] for test in exercise["tests"]):
            for number, line in re.findall(rf"{attack.exercise}\.py, line (\d+): (.*)\)\.", told.partition("\nIt must")[0]):
                assert module[int(number) - 1].strip()[:120] == line
                shown += 1
    assert shown > 20


def test_the_reports_name_no_exception_of_a_students_making(graded: Graded) -> None:
    builtin = {name for name in dir(__builtins__ if not isinstance(__builtins__, dict) else sys.modules["builtins"])}
    for attack in graded.chosen:
        text = re.sub(r"<[^>]+>", "", graded.feedback(attack.id))
        for name in re.findall(r"It raised ([^ .(]+)", text):
            assert name in builtin, (attack.id, name)


def test_nothing_is_left(graded: Graded) -> None:
    deadline = time.monotonic() + SECONDS_TO_DIE
    while (left := processes_left()) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert left == []
    folders = ("/", "/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run", "/run/lock", Path.home(), ROOT, graded.submissions, graded.out)
    found = [path for folder in folders for path in Path(folder).glob(f"*{LEFT}*")]
    found += [path for folder in (graded.submissions, graded.out) for path in folder.rglob(f"*{LEFT}*")]
    assert found == []
    assert list((graded.base / "home").iterdir()) == []
    assert sorted(path.name for path in graded.out.iterdir() if path.name.startswith(".")) == [".autograder"]


def processes_left() -> list[str]:
    """What attackers started, by the name that they gave it."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit():
                named = (folder / "comm").read_text("utf-8", "replace") + (folder / "cmdline").read_text("utf-8", "replace")
                if LEFT in named:
                    found.append(f"{folder.name}: {named}")
        except OSError:
            continue
    return found


def test_python_m_imports_nothing_from_the_folder_that_it_is_started_in(tmp_path: Path) -> None:
    attack = next(attack for attack in ALL if attack.id == "shadowing-names-of-the-grader")
    out = tmp_path / "out"
    write_class(tmp_path, {"student": submissions_of([attack], what_is_outside(tmp_path, out))[attack.id]})
    command = [sys.executable, "-m", "autograder", "grade", ".", "--exercise", "softmax", "--out", str(out)]
    done = subprocess.run(command, cwd=tmp_path / "student", capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stderr
    assert not (out / f"{LEFT}-marker").exists()
    assert (out / "student/report.json").exists()


def test_a_run_without_a_jail_says_so_in_every_report_and_on_the_summary(tmp_path: Path) -> None:
    write_class(tmp_path / "class", {FIRST: {"exercises/softmax.py": INNOCENT[FIRST]}})
    grade(tmp_path / "class", tmp_path / "out", "none", ["softmax"])
    report = json.loads((tmp_path / "out" / FIRST / "report.json").read_text("utf-8"))
    assert report["jail"] == "none"
    assert "unconfined" in report["jail_remarks"][0]
    summary = (tmp_path / "out/summary.html").read_text("utf-8")
    assert 'role="alert"' in summary
    assert "Graded without a jail." in summary
    assert summary.count(report["jail_remarks"][0]) == 1


def test_the_reports_say_which_jail_it_was(graded: Graded) -> None:
    for student in (FIRST, LAST):
        assert graded.report(student)["jail"] == graded.jail
        assert isinstance(graded.report(student)["jail_remarks"], list)
