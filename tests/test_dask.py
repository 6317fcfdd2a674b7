"""Grading on a Dask cluster: the same reports, whatever becomes of its workers; and none from a worker that would grade otherwise."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.batch import Options, grade_class
from autograder.cli import main
from autograder.limits import DEFAULT
from autograder.submissions import discover
from tests.conftest import ROOT, jail_or_skip
from tests.course_copy import copy_course
from tests.dask_cluster import DEADLY, Cluster
from tests.processes import start, until
from tests.test_batch import rows
from tests.test_survives import RIGHT, WRONG, arguments, contents, make_class, reports

if os.environ.get("CI"):
    import distributed
else:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")

SLOW = "import time\ntime.sleep(0.3)\n"
CLASS = {"ada": RIGHT, "bo": WRONG, "chen": "def softmax(x", "dana": "print('dana')\n" + RIGHT}


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster with two workers that must not grade: where one runs no jail works, and another has another course."""
    jail_or_skip("auto")
    folder = tmp_path_factory.mktemp("cluster")
    other = copy_course(folder / "course").root
    with (other / "solutions" / "softmax.py").open("a") as file:
        file.write("# another year's\n")
    cluster = Cluster(folder)
    try:
        cluster.worker("contained", "--no-nanny", contained=True)
        cluster.worker("other", "--no-nanny", path=other)
        wait_for(cluster, 2)
        yield cluster
    finally:
        cluster.close()


@pytest.fixture(scope="module")
def cluster(bare: Cluster) -> Cluster:
    """That cluster with two good workers."""
    (bare.folder / "deadly.py").write_text(DEADLY)
    for name in ("one", "two"):
        good_worker(bare, name)
    wait_for(bare, 4)
    return bare


def good_worker(cluster: Cluster, name: str) -> subprocess.Popen[bytes]:
    return cluster.worker(name, "--preload", str(cluster.folder / "deadly.py"))


def wait_for(cluster: Cluster, workers: int) -> None:
    with distributed.Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(workers, timeout=60)


def on(cluster: Cluster, folder: Path, out: Path) -> list[str]:
    return arguments(folder, out, "--scheduler", cluster.address)


def test_where_no_worker_can_grade_it_says_why(bare: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(on(bare, make_class(tmp_path / "class", CLASS), tmp_path / "out")) == 2
    told = capsys.readouterr().err
    assert "No jail for student code works here" in told
    assert "namespace" in told
    assert "another version: the course" in told
    assert not (tmp_path / "out").exists()


def test_reports_are_the_same_as_here(cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = make_class(tmp_path / "class", CLASS)
    (folder / "emil.zip").write_bytes(b"PK\x03\x04 this is no archive")
    assert main(on(cluster, folder, tmp_path / "there")) == 1
    assert capsys.readouterr().err.count("left out") == 2
    assert {name: row["status"] for name, row in rows(tmp_path / "there").items()} == {**dict.fromkeys(CLASS, "graded"), "emil": "error"}
    assert main(arguments(folder, tmp_path / "here")) == 1
    # Both again: what was graded there counts here, and so there are no times in summary.html.
    assert [main(arguments(folder, tmp_path / where)) for where in ("here", "there")] == [1, 1]
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


def test_a_worker_that_goes_in_the_middle_takes_nothing_along(cluster: Cluster, tmp_path: Path) -> None:
    modules = {f"student-{i:02}": f"# {i}\n{SLOW}{RIGHT if i % 2 else WRONG}" for i in range(12)}
    folder, out = make_class(tmp_path / "class", modules), tmp_path / "out"
    run = start(*on(cluster, folder, out))
    until(lambda: len(reports(out)) >= 2 or run.poll() is not None)
    assert len(reports(out)) < 12
    cluster.kill(cluster.processes[3])
    printed, _ = run.communicate(timeout=90)
    assert run.returncode == 0, printed
    assert {name: row["score"] for name, row in rows(out).items()} == {
        name: "6.0" if RIGHT in text else "0.5" for name, text in modules.items()
    }
    good_worker(cluster, "three")
    wait_for(cluster, 4)


def test_a_submission_that_kills_workers_ends_as_one_error(cluster: Cluster, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(on(cluster, make_class(tmp_path / "class", {**CLASS, "killer": RIGHT}), out)) == 1
    assert {name: row["status"] for name, row in rows(out).items()} == {**dict.fromkeys(CLASS, "graded"), "killer": "error"}
    assert "worker" in json.loads((out / "killer" / "report.json").read_bytes())["notes"][-1]
    wait_for(cluster, 4)


def test_a_worker_that_joins_late_and_may_not_grade_is_left_out(
    cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from autograder.cluster import connect

    modules = {f"student-{i:02}": f"# {i}\n{RIGHT}" for i in range(8)}
    crew = connect(cluster.address, "auto")
    capsys.readouterr()
    crew.refusals.clear()  # as if nobody had looked at them
    options = Options(crew.jail, DEFAULT, ("softmax",), crew=crew)
    found = discover([make_class(tmp_path / "class", modules)], DEFAULT).candidates
    assert [step.row.score for step in grade_class(found, tmp_path / "out", options)] == [6.0] * 8
    told = capsys.readouterr().err
    assert "No jail for student code works here" in told
    assert "another version" in told


def test_without_the_option_nothing_of_dask_is_imported(tmp_path: Path) -> None:
    folder = make_class(tmp_path / "class", {"ada": RIGHT})
    code = f"import sys; from autograder.cli import main; main({arguments(folder, tmp_path / 'out')!r})"
    code += "; sys.exit(bool({'dask', 'distributed', 'tornado'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True).returncode == 0


def test_without_dask_the_option_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "autograder.cluster", raising=False)
    folder = make_class(tmp_path / "class", CLASS)
    assert main(arguments(folder, tmp_path / "out", "--scheduler", "tcp://127.0.0.1:1")) == 2
    assert "pip install 'attention-autograder[dask]'" in capsys.readouterr().err


def test_where_no_scheduler_answers_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("autograder.cluster.CONNECT_SECONDS", 1)
    folder = make_class(tmp_path / "class", CLASS)
    assert main(arguments(folder, tmp_path / "out", "--scheduler", "tcp://127.0.0.1:1")) == 2
    assert "--scheduler tcp://127.0.0.1:1" in capsys.readouterr().err


def test_a_scheduler_that_goes_ends_the_run_with_what_there_is(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The last test: it leaves no cluster."""
    monkeypatch.setattr("autograder.cluster.CONNECT_SECONDS", 2)
    from autograder.cluster import connect
    from autograder.crew import Stopped

    modules = {f"student-{i:02}": f"# {i}\n{SLOW}{RIGHT}" for i in range(12)}
    crew = connect(cluster.address, "auto")
    options = Options(crew.jail, DEFAULT, ("softmax",), crew=crew)
    out = tmp_path / "out"
    steps = grade_class(discover([make_class(tmp_path / "class", modules)], DEFAULT).candidates, out, options)
    next(steps)
    cluster.kill(cluster.scheduler)
    with pytest.raises(Stopped, match="run the same command again"):
        list(steps)
    assert 1 <= len(reports(out)) < 12
    assert set(rows(out)) == reports(out)
