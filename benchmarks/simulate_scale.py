"""What one parent process, one disk and one Dask scheduler can take: the real batch with nothing but the grading itself made up.

    python benchmarks/simulate_scale.py                  up to 10,000 submissions, some minutes
    python benchmarks/simulate_scale.py --largest 100000

Three parts, each number in a process of its own. `loop`: submissions are opened, reports written, the class pages made, by graders
that take no time. `rows`: only what the parent keeps of a class, and its pages. `dask`: the whole, over a scheduler and workers on
loopback that sleep for as long as grading takes. Made-up students hand in one of three submissions and get its real report, with
tests failed at random in the part `rows`. For docs/scale.md; nothing of a student's is run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import pickle
import random
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from autograder.batch import Options, grade_class
from autograder.content.layout import Layout
from autograder.content.proof import solution_files, stub_files
from autograder.grading.grader import Grader
from autograder.jail import choose
from autograder.limits import DEFAULT, MIB
from autograder.pool import Job
from autograder.reports.files import report_files
from autograder.reports.grades import grades_csv
from autograder.reports.model import ExerciseReport, Report
from autograder.reports.rows import Row
from autograder.reports.summary import summary_html
from autograder.submissions import Candidate, open_submission

SEED = 5
WORKERS = 32
SECONDS = 0.2  # of a made-up grading
BROKEN = b"def softmax(x, axis=-1):\n    return x / x.sum()\n"


def submissions() -> dict[str, dict[str, bytes]]:
    """What the made-up students hand in: all solved, one exercise wrong, nothing done."""
    solved = solution_files(Layout())
    return {"solved": solved, "wrong": {**solved, "exercises/softmax.py": BROKEN}, "stubs": stub_files(Layout())}


def prepare(folder: Path) -> None:
    """The archives, and the reports that they get."""
    with Grader(choose("auto"), DEFAULT) as grader:
        reports = []
        for name, files in submissions().items():
            with zipfile.ZipFile(folder / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
                for path, content in files.items():
                    archive.writestr(path, content)
            reports.append(grader.grade(open_submission(Candidate(name, folder / f"{name}.zip", 0.0), DEFAULT), SEED))
    (folder / "reports.pickle").write_bytes(pickle.dumps(reports))


def reports_in(folder: Path) -> list[Report]:
    return pickle.loads((folder / "reports.pickle").read_bytes())


def drawn_in(folder: Path) -> list[Report]:
    """The reports with their files, as graders give them."""
    return [replace(report, drawn=report_files(report)) for report in reports_in(folder)]


def candidates(folder: Path, number: int) -> list[Candidate]:
    archives = [folder / f"{name}.zip" for name in submissions()]
    return [Candidate(f"student-{i:07}", archives[i % len(archives)], 0.0) for i in range(number)]


class AtOnce:
    """A crew whose graders take no time."""

    has_room = True

    def __init__(self, reports: list[Report]):
        self.reports, self.jobs = reports, list[Job]()

    @property
    def busy(self) -> int:
        return len(self.jobs)

    def take(self, job: Job) -> None:
        self.jobs.append(job)
        self.has_room = len(self.jobs) < 8

    def ready(self, seconds: float | None) -> Iterator[tuple[Job, Report]]:
        jobs, self.jobs, self.has_room = self.jobs, [], True
        for job in jobs:
            number = int(job.submission.student.rpartition("-")[2])
            yield job, replace(self.reports[number % len(self.reports)], student=job.submission.student)

    def close(self) -> None:
        pass


def used() -> dict[str, float]:
    """What this process has used so far."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return {"cpu_s": usage.ru_utime + usage.ru_stime, "peak_mib": usage.ru_maxrss / 1024}


def run(folder: Path, number: int, options: Options) -> dict[str, float]:
    """Grade a made-up class; seconds to the last report, and to the class pages."""
    with tempfile.TemporaryDirectory(dir=folder) as out:
        start, before = time.perf_counter(), used()
        last = start
        for _ in grade_class(candidates(folder, number), Path(out), options):
            last = time.perf_counter()
        end = time.perf_counter()
        sizes = {f"{name}_mib": (Path(out) / name).stat().st_size / MIB for name in ("grades.csv", "summary.html")}
        held = sum(path.stat().st_blocks * 512 for path in Path(out).rglob("*"))
    after = used()
    return {
        "number": number,
        "per_s": number / (last - start),
        "cpu_ms_each": 1000 * (after["cpu_s"] - before["cpu_s"]) / number,
        "pages_s": end - last,
        "peak_mib": after["peak_mib"],
        "disk_kib_each": held / 1024 / number,
        **sizes,
    }


def loop(folder: Path, number: int) -> dict[str, float]:
    return run(folder, number, Options("none", DEFAULT, seed=SEED, crew=AtOnce(drawn_in(folder))))


def rows(folder: Path, number: int) -> dict[str, float]:
    reports, draw = reports_in(folder), random.Random(SEED)
    start = used()
    kept = []
    for i in range(number):
        report = replace(reports[0], student=f"student-{i:07}", exercises=tuple(some_failed(reports[0], draw)))
        kept.append(Row.from_report(report, report.student))
    held = used()["peak_mib"] - start["peak_mib"]
    began = time.perf_counter()
    grades = grades_csv(kept)
    middle = time.perf_counter()
    page = summary_html(kept)
    return {
        "number": number,
        "rows_mib": held,
        "bytes_a_row": held * MIB / number,
        "grades_s": middle - began,
        "grades_mib": len(grades.encode()) / MIB,
        "summary_s": time.perf_counter() - middle,
        "summary_mib": len(page.encode()) / MIB,
        "peak_mib": used()["peak_mib"],
    }


def some_failed(report: Report, draw: random.Random) -> Iterator[ExerciseReport]:
    """The exercises of a student who is more or less able."""
    ability = draw.uniform(0.5, 1.0)
    for exercise in report.exercises:
        tests = tuple(test if draw.random() < ability else replace(test, status="failed", earned=0.0) for test in exercise.tests)
        status = "passed" if all(test.status == "passed" for test in tests) else "failed"
        yield replace(exercise, tests=tests, status=status, score=sum(test.earned for test in tests))


def dask(folder: Path, number: int) -> dict[str, float]:
    from autograder.cluster import connect

    with cluster(folder) as (address, scheduler, workers):
        crew = connect(address, "none")
        before = cpu_seconds(scheduler), cpu_seconds(workers), memory_mib(scheduler)
        figures = run(folder, number, Options(crew.jail, DEFAULT, seed=SEED, crew=crew))
        return figures | {
            "busy": figures["per_s"] / (WORKERS / SECONDS),
            "scheduler_cpu_ms_each": 1000 * (cpu_seconds(scheduler) - before[0]) / number,
            "worker_cpu_ms_each": 1000 * (cpu_seconds(workers) - before[1]) / number,
            "scheduler_grew_mib": memory_mib(scheduler) - before[2],
        }


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, int, int]]:
    """The address of a scheduler, its process, and the one process in which all its workers are."""
    where = folder / "scheduler.json"
    where.unlink(missing_ok=True)
    options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(where)]
    with subprocess.Popen([sys.executable, "-m", "dask", "scheduler", *options], stderr=subprocess.DEVNULL) as scheduler:
        try:
            while not where.exists() or not where.read_text():
                time.sleep(0.1)
            address = json.loads(where.read_text())["address"]
            command = [sys.executable, __file__, "--part", "workers", "--folder", str(folder), "--address", address]
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
            with subprocess.Popen(command, text=True, **pipes) as workers:
                assert workers.stdin is not None
                assert workers.stdout is not None
                workers.stdout.readline()
                try:
                    yield address, scheduler.pid, workers.pid
                finally:
                    workers.stdin.close()
        finally:
            scheduler.terminate()


async def be_workers(folder: Path, address: str) -> None:
    """Until stdin is closed."""
    from distributed import Worker

    from autograder import dask_worker

    reports = drawn_in(folder)

    def grade(job: Job) -> Report:
        time.sleep(SECONDS)
        number = int(job.submission.student.rpartition("-")[2])
        return replace(reports[number % len(reports)], student=job.submission.student)

    dask_worker.grade = grade
    async with AsyncExitStack() as stack:
        for _ in range(WORKERS):
            await stack.enter_async_context(Worker(address, nthreads=1, host="127.0.0.1", dashboard=False, local_directory=str(folder)))
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.read)


def memory_mib(pid: int) -> float:
    text = Path(f"/proc/{pid}/status").read_text()
    return int(text.partition("VmRSS:")[2].split()[0]) / 1024


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


PARTS = {"loop": loop, "rows": rows, "dask": dask}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=10_000, metavar="N")
    parser.add_argument("--only", choices=PARTS, metavar="PART", help=f"one part: {', '.join(PARTS)}")
    parser.add_argument("--part", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--number", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--address", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.part == "workers":
        asyncio.run(be_workers(arguments.folder, arguments.address))
    elif arguments.part:
        print(json.dumps(PARTS[arguments.part](arguments.folder, arguments.number)))
    else:
        with tempfile.TemporaryDirectory(prefix="simulate-") as folder:
            prepare(Path(folder))
            for part in [arguments.only] if arguments.only else PARTS:
                table(part, [measured(part, Path(folder), n) for n in numbers(arguments.largest)])


def numbers(largest: int) -> list[int]:
    return [n for n in (1_000, 10_000, 100_000, 1_000_000) if n <= largest] or [largest]


def measured(part: str, folder: Path, number: int) -> dict[str, float]:
    command = [sys.executable, __file__, "--part", part, "--folder", str(folder), "--number", str(number)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONHASHSEED": "0"})
    return json.loads(done.stdout)


def table(part: str, lines: list[Mapping[str, float]]) -> None:
    print(f"\n### {part}\n")
    print("| " + " | ".join(lines[0]) + " |\n|" + "---:|" * len(lines[0]))
    for line in lines:
        print("| " + " | ".join(f"{value:,.0f}" if value >= 100 else f"{value:.3g}" for value in line.values()) + " |", flush=True)


if __name__ == "__main__":
    main()
