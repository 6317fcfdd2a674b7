"""A run may end at any moment: what it has graded is whole, is not graded again, and nothing of it is left running."""

from __future__ import annotations

import csv
import errno
import json
import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from autograder import ledger
from autograder.batch import STATE, Options, grade_class
from autograder.cli import main
from autograder.crew import LocalCrew, Stopped
from autograder.limits import DEFAULT
from autograder.reports import atomic, files
from autograder.submissions import discover
from tests.conftest import jail_or_skip
from tests.course_copy import copy_course, edit
from tests.processes import alive, command_line, family, start, until
from tests.test_batch import Here, write_folder

RIGHT = """import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)
"""
WRONG = """import numpy as np
def softmax(x, axis=-1):
    return np.exp(x) / np.exp(x).sum(axis)
"""
SLEEPER = "import time\ntime.sleep(60)\n"
FORKER = "import os, time\nos.fork()\nwhile True:\n    time.sleep(1)\n"
SEED = 5
KILLS = 6


@pytest.fixture(autouse=True, scope="module")
def _jail() -> None:
    jail_or_skip("auto")


def make_class(folder: Path, modules: dict[str, str]) -> Path:
    for student, text in modules.items():
        write_folder(folder / student, {"exercises/softmax.py": text.encode()})
    return folder


def arguments(folder: Path, out: Path, *more: object) -> list[str]:
    return ["grade", str(folder), "--out", str(out), "--exercise", "softmax", "--seed", str(SEED), *map(str, more)]


def reports(out: Path) -> set[str]:
    return {path.parent.name for path in out.glob("*/report.json")}


def students(out: Path) -> list[str]:
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        return [row["student"] for row in csv.DictReader(file)]


def contents(out: Path) -> dict[str, bytes]:
    """Every file but the kit's own state."""
    return {str(p.relative_to(out)): p.read_bytes() for p in out.rglob("*") if p.is_file() and STATE not in p.parts}


@pytest.fixture
def runs() -> Iterator[list[subprocess.Popen[str]]]:
    """Ends what a test has started and a failure left."""
    started: list[subprocess.Popen[str]] = []
    yield started
    for run in started:
        run.kill()
        run.wait()
        assert run.stdout is not None
        run.stdout.close()


def test_killed_at_random_moments_it_ends_as_if_undisturbed(tmp_path: Path, runs: list[subprocess.Popen[str]]) -> None:
    pause = "import time\ntime.sleep(0.2)\n"
    modules = {f"student-{i:02}": f"# {i}\nprint({i})\n{pause}{WRONG if i % 3 else RIGHT}" for i in range(12)}
    folder, out, calm = make_class(tmp_path / "class", modules), tmp_path / "out", tmp_path / "calm"
    runs.append(start(*arguments(folder, calm)))
    assert runs[-1].wait(120) == 0
    expected = contents(calm)
    draw = random.Random(SEED)
    settled: dict[str, tuple[int, int]] = {}

    def entered() -> dict[str, tuple[int, int]]:
        """The reports that the ledger knows, by what would change if they were written again."""
        names = [path.stem for path in (out / STATE / "ledger").glob("[!.]*.json")]
        return {name: ((s := (out / name / "report.json").stat()).st_ino, s.st_mtime_ns) for name in names}

    for _ in range(KILLS):
        run = start(*arguments(folder, out))
        runs.append(run)
        more = min(12, len(reports(out)) + draw.randrange(3))
        until(lambda more=more, run=run: len(reports(out)) >= more or run.poll() is not None)
        time.sleep(draw.uniform(0, 0.3))
        run.kill()
        run.communicate()
        for name, content in contents(out).items():
            if not name.endswith(".tmp") and name != "summary.html":
                assert content == expected[name], f"{name} is torn"
        now = entered()
        assert settled.items() <= now.items(), "a report that was there was written again"
        settled = now
    assert settled
    runs.append(start(*arguments(folder, out)))
    assert runs[-1].wait(120) == 0
    assert settled.items() <= entered().items()
    # Once more over both: all is known, and with no times in them the summaries are the same too.
    assert [main(arguments(folder, place)) for place in (out, calm)] == [0, 0]
    assert contents(out) == contents(calm)
    assert students(out) == sorted(modules)
    assert sorted(os.listdir(out / STATE)) == ["ledger", "lock"]
    assert sorted(os.listdir(out / STATE / "ledger")) == [f"{student}.json" for student in modules]


def test_nothing_is_left_of_a_run_that_is_killed(each_jail: str, tmp_path: Path, runs: list[subprocess.Popen[str]]) -> None:
    folder = make_class(tmp_path / "class", {"ada": FORKER, "bo": FORKER})
    run = start(*arguments(folder, tmp_path / "out", "--jail", each_jail, "--call-seconds", 60))
    runs.append(run)
    # In each jail: the template, a keeper, the student's process and its child.
    until(lambda: sum("inside.template" in command_line(pid) for pid, _ in family(run.pid)) >= 8)
    everybody = family(run.pid)
    run.kill()
    until(lambda: not alive(everybody), 40)  # sooner than the limits would end them


def test_ctrl_c_while_the_graders_start_is_no_traceback(tmp_path: Path, runs: list[subprocess.Popen[str]]) -> None:
    run = start(*arguments(make_class(tmp_path / "class", {"zoe": SLEEPER, "zola": SLEEPER}), tmp_path / "out"))
    runs.append(run)
    until(lambda: any("spawn_main" in command_line(pid) for pid, _ in family(run.pid)))
    time.sleep(0.2)  # so that Python is up in it, and a grader's modules are not
    os.killpg(run.pid, signal.SIGINT)
    printed, _ = run.communicate(timeout=30)
    assert run.returncode == 130
    assert printed.strip() == "Interrupted. Run the same command again to go on from here."


@pytest.mark.parametrize(("how", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_ends_at_once_with_what_it_has(
    how: signal.Signals, code: int, tmp_path: Path, runs: list[subprocess.Popen[str]]
) -> None:
    quick = {"ada": RIGHT, "bo": WRONG}
    folder, out = make_class(tmp_path / "class", {**quick, "zoe": SLEEPER, "zola": SLEEPER}), tmp_path / "out"
    run = start(*arguments(folder, out, "--call-seconds", 60))
    runs.append(run)
    until(lambda: reports(out) >= set(quick))
    everybody = family(run.pid)
    began = time.monotonic()
    if how == signal.SIGINT:
        os.killpg(run.pid, how)  # as a terminal does: to all in the group
    else:
        run.send_signal(how)
    printed, _ = run.communicate(timeout=90)
    assert time.monotonic() - began < 40  # the sleepers are not waited for
    assert run.returncode == code, printed
    assert "Run the same command again" in printed
    assert "Traceback" not in printed
    assert students(out) == sorted(quick)
    assert "bo" in (out / "summary.html").read_text("utf-8")
    until(lambda: not alive(everybody), 40)


def test_a_grader_that_is_killed_costs_nothing(tmp_path: Path, runs: list[subprocess.Popen[str]]) -> None:
    slow = "import time\ntime.sleep(1)\n" + RIGHT
    folder, out = make_class(tmp_path / "class", {"ada": RIGHT, "bo": slow, "chen": WRONG, "dana": RIGHT}), tmp_path / "out"
    run = start(*arguments(folder, out))
    runs.append(run)
    until(lambda: reports(out))
    graders = [pid for pid, _ in family(run.pid) if "spawn_main" in command_line(pid)]
    os.kill(graders[0], signal.SIGKILL)
    printed, _ = run.communicate(timeout=90)
    assert run.returncode == 0, printed
    scores = {name: json.loads((out / name / "report.json").read_bytes())["score"] for name in reports(out)}
    assert set(scores) == {"ada", "bo", "chen", "dana"}
    assert scores["bo"] == 6.0


def test_two_runs_do_not_write_into_one_folder(
    tmp_path: Path, runs: list[subprocess.Popen[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, out = make_class(tmp_path / "class", {"ada": RIGHT, "zoe": SLEEPER}), tmp_path / "out"
    first = start(*arguments(folder, out))
    runs.append(first)
    until(lambda: reports(out))
    before = contents(out)
    assert main(arguments(folder, out)) == 2
    told = capsys.readouterr().err
    assert str(out) in told
    assert str(first.pid) in told
    assert contents(out) == before
    first.kill()
    first.wait()
    shutil.rmtree(folder / "zoe")
    assert main(arguments(folder, out)) == 0  # the lock went with its holder


# What counts as graded already.


def skipped(folder: Path, out: Path, **changes: object) -> dict[str, bool]:
    """Grade in this process; by student whether an earlier run's report was taken."""
    facts = {"jail": jail_or_skip("auto"), "limits": DEFAULT, "exercises": ("softmax", "attention"), "seed": SEED} | changes
    options = Options(crew=LocalCrew(2, Here), **facts)  # type: ignore[arg-type]
    return {step.row.student: step.skipped for step in grade_class(discover([folder], DEFAULT).candidates, out, options)}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of two in `class`, and its reports in `out`."""
    place = tmp_path_factory.mktemp("graded")
    folder = make_class(place / "class", {"ada": "print('hello')\n" + RIGHT, "bo": WRONG})
    assert skipped(folder, place / "out") == {"ada": False, "bo": False}
    assert skipped(folder, place / "out") == {"ada": True, "bo": True}
    return place


@pytest.fixture
def copied(graded: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(graded, tmp_path / "copy"))


@pytest.mark.parametrize(
    ("change", "counts"),
    [
        pytest.param({"exercises": ("attention", "softmax")}, True, id="another order"),
        pytest.param({"limits": replace(DEFAULT, jobs=1)}, True, id="another number of jobs"),
        pytest.param({"lang": "en"}, True, id="the same language by name"),
        pytest.param({"exercises": ("softmax",)}, False, id="other exercises"),
        pytest.param({"limits": replace(DEFAULT, call_seconds=3.0)}, False, id="another limit for a call"),
        pytest.param({"limits": replace(DEFAULT, depth=8)}, False, id="another limit of an answer"),
        pytest.param({"seed": SEED + 1}, False, id="another seed"),
        pytest.param({"lang": "zh"}, False, id="another language"),
        pytest.param({"jail": "another"}, False, id="another jail"),
        pytest.param({"fresh": True}, False, id="--fresh"),
    ],
)
def test_only_reports_of_the_same_way_of_grading_count(
    copied: Path, change: dict[str, object], counts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AUTOGRADER_LANG", raising=False)
    assert skipped(copied / "class", copied / "out", **change) == {"ada": counts, "bo": counts}


def test_reports_of_another_course_do_not_count(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kit = ledger.this_kit()
    for other in (replace(kit, course="another"), replace(kit, numpy="1.26"), replace(kit, python="3.14")):
        monkeypatch.setattr("autograder.batch.this_kit", lambda other=other: other)
        assert not any(skipped(copied / "class", copied / "out").values())


TAMPERING = {
    "an edited report": lambda out: edit(out / "ada/report.json", '"score": 6.0', '"score": 5.0'),
    "a torn report": lambda out: os.truncate(out / "ada/report.json", 100),
    "another's report": lambda out: shutil.copy(out / "bo/report.json", out / "ada/report.json"),
    "another's folder": lambda out: shutil.copytree(out / "bo", out / "ada", dirs_exist_ok=True),
    "no page": lambda out: (out / "ada/feedback.html").unlink(),
    "no printed text": lambda out: (out / "ada/output.txt").unlink(),
    "no folder": lambda out: shutil.rmtree(out / "ada"),
    "no entry": lambda out: (out / STATE / "ledger/ada.json").unlink(),
    "a torn entry": lambda out: os.truncate(out / STATE / "ledger/ada.json", 10),
    "an empty entry": lambda out: os.truncate(out / STATE / "ledger/ada.json", 0),
    "another's entry": lambda out: shutil.copy(out / STATE / "ledger/bo.json", out / STATE / "ledger/ada.json"),
    "another's folder and entry": lambda out: (
        shutil.copytree(out / "bo", out / "ada", dirs_exist_ok=True),
        shutil.copy(out / STATE / "ledger/bo.json", out / STATE / "ledger/ada.json"),
    ),
}


@pytest.mark.parametrize("what", TAMPERING)
def test_what_the_kit_did_not_write_is_written_again(copied: Path, what: str) -> None:
    folder, out = copied / "class", copied / "out"
    before = contents(out)
    TAMPERING[what](out)
    assert skipped(folder, out) == {"ada": False, "bo": True}
    after = contents(out)
    assert {name: text for name, text in after.items() if "/" in name} == {name: text for name, text in before.items() if "/" in name}


def test_a_comment_in_a_students_page_is_kept(copied: Path) -> None:
    page = copied / "out" / "ada" / "feedback.html"
    page.write_text(page.read_text("utf-8").replace("</body>", "<p>Well done.</p></body>"), "utf-8")
    assert skipped(copied / "class", copied / "out") == {"ada": True, "bo": True}
    assert "Well done." in page.read_text("utf-8")


@pytest.mark.parametrize("step", ["feedback.html", "report.json"])
def test_a_run_that_dies_while_it_writes_leaves_no_report_that_counts(copied: Path, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Killed(BaseException):
        pass

    real = os.replace

    def dies(source: Path, target: Path) -> None:
        real(source, target)
        if target.parent.name == "ada" and target.name == step:
            raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(atomic.os, "replace", dies)
        with pytest.raises(Killed):
            skipped(copied / "class", copied / "out", fresh=True)
    assert skipped(copied / "class", copied / "out")["ada"] is False


def test_what_a_killed_run_left_half_written_goes_with_the_next(copied: Path) -> None:
    out = copied / "out"
    half = [out / "ada/.report.json.0123456789ab.tmp", out / ".grades.csv.0123456789ab.tmp", out / STATE / "ledger/.ada.json.tmp"]
    for path in [*half, out / "ada/.notes.tmp"]:
        path.write_text("half")
    (out / STATE / "ledger/ada.json").unlink()
    skipped(copied / "class", out)
    assert not any(path.exists() for path in half)
    assert (out / "ada/.notes.tmp").exists()  # not ours


def test_a_full_disk_is_said_and_what_is_written_counts(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(folder: Path, texts: dict[str, str]) -> None:
        if folder.name == "bo":
            raise OSError(errno.ENOSPC, "No space left on device", str(folder))
        atomic.write_together(folder, texts)

    with monkeypatch.context() as patch:
        patch.setattr(files, "write_together", full)
        with pytest.raises(Stopped, match="No space left"):
            skipped(copied / "class", copied / "out", fresh=True)
    assert skipped(copied / "class", copied / "out")["bo"] is False


@pytest.mark.parametrize(
    "file",
    [
        "solutions/softmax.py",
        "autograder/hidden/test_softmax.py",
        "autograder/hidden/data/torch_parity.npz",
        "autograder/misconceptions/softmax.py",
        "autograder/expect.py",
        "autograder/inside/worker.py",
        "autograder/reports/templates/feedback.html",
    ],
)
def test_the_course_version_changes_with_what_a_report_depends_on(file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    versions = []
    root = copy_course(tmp_path / "course").root
    for package in ("autograder", "solutions"):
        monkeypatch.setattr(getattr(ledger, package), "__file__", str(root / package / "__init__.py"))
    for change in (b"", b"\n"):
        with (root / file).open("ab") as opened:
            opened.write(change)
        versions.append(ledger.course_version.__wrapped__())
    assert versions[0] != versions[1]
    (root / "autograder/.hidden.py").write_text("an editor's")
    assert ledger.course_version.__wrapped__() == versions[1]
