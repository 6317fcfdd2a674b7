"""The content proved by running it: a solution gets every point and passes every visible test, a stub gets and passes none.

`autograder build --check` runs it last, since it takes the better part of a minute.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from autograder.content.include import student_files
from autograder.content.layout import Fault, Layout
from autograder.course import COURSE
from autograder.limits import DEFAULT
from autograder.submissions import Submission

SEED = 2017  # any seed will do; a fixed one makes two checks of the same content agree

PASSED, FAILED, NOT_WRITTEN = "passed", "failed", "to do"


@dataclass(frozen=True)
class Proof:
    """What running the content found, and what could not be run on this machine."""

    faults: tuple[Fault, ...]
    notes: tuple[str, ...] = ()


def prove(layout: Layout) -> Proof:
    """Grade solutions and stubs with the hidden tests, in a jail, and run the visible tests on both.

    Where no jail works nothing is graded, and a note says so.
    """
    graded, notes = _hidden_faults(layout)
    return Proof((*graded, *_visible_faults(layout)), notes)


def solution_files(layout: Layout) -> dict[str, bytes]:
    """The solutions as a student would have written them into the stubs."""
    return {f"exercises/{e.module}.py": layout.solution(e).read_bytes().replace(b"from solutions.", b"from exercises.") for e in COURSE}


def stub_files(layout: Layout) -> dict[str, bytes]:
    """What a student hands in who has written nothing."""
    return {f"exercises/{e.module}.py": layout.stub(e).read_bytes() for e in COURSE}


def _hidden_faults(layout: Layout) -> tuple[list[Fault], tuple[str, ...]]:
    # The grader is imported here: nbgrader's configuration loads this folder, and needs no jail.
    from autograder.grading.grader import Grader
    from autograder.jail import JailUnavailable, choose

    try:
        jail = choose("auto")
    except JailUnavailable as error:
        return [], (f"solutions and stubs were not graded, because no jail works here: {error}",)
    with Grader(jail, DEFAULT) as grader:
        right = grader.grade(Submission("solutions", solution_files(layout)), SEED)
        unwritten = grader.grade(Submission("stubs", stub_files(layout)), SEED)
    faults = []
    for exercise, solved, stub in zip(COURSE, right.exercises, unwritten.exercises, strict=True):
        for test in solved.tests:
            if test.earned < test.points:
                problem = f"it loses {test.points - test.earned:g} points in {test.id}: {' '.join(test.message.split())}"
                faults.append(Fault(layout.name(layout.solution(exercise)), problem, "mend the solution or the hidden test"))
        for test in stub.tests:
            if test.status == PASSED:
                faults.append(Fault(layout.name(layout.stub(exercise)), f"the stub passes {test.id}", "make the hidden test ask for more"))
    return faults, ()


def _visible_faults(layout: Layout) -> Iterator[Fault]:
    with tempfile.TemporaryDirectory(prefix="autograder-visible-") as scratch:
        solved = _visible_verdicts(layout, solution_files(layout), Path(scratch) / "solutions")
        stubs = _visible_verdicts(layout, stub_files(layout), Path(scratch) / "stubs")
    for exercise in COURSE:
        file, name = layout.name(layout.visible_test(exercise)), f"test_{exercise.id}"
        for test, verdict in solved.get(name, {}).items():
            if verdict != PASSED:
                yield Fault(file, f"the solution does not pass {test}: {verdict}", "mend the solution or the test")
        for test, verdict in stubs.get(name, {}).items():
            if verdict != NOT_WRITTEN:
                yield Fault(file, f"with the stub {test} is not to do: {verdict}", "let the test call what the stub lacks")
        if not solved.get(name):
            yield Fault(file, "none of its tests ran", "see what `pytest` says of it")


def _visible_verdicts(layout: Layout, modules: Mapping[str, bytes], folder: Path) -> dict[str, dict[str, str]]:
    """Test file -> test -> verdict, from pytest in a folder like a student's."""
    for name, content in {**student_files(layout), **modules}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    log = folder / "log.xml"
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTEST_ADDOPTS")}
    env = {**kept, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "exercises/tests", f"--junitxml={log}", "-p", "no:cacheprovider"]
    run = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    if not log.is_file():
        raise RuntimeError(f"pytest wrote no log of the visible tests:\n{run.stdout}{run.stderr}")
    verdicts: dict[str, dict[str, str]] = {}
    for case in ElementTree.parse(log).iter("testcase"):
        file = case.get("classname", "").rpartition(".")[2]
        verdicts.setdefault(file, {})[case.get("name", "")] = _verdict(case)
    return verdicts


def _verdict(case: ElementTree.Element) -> str:
    if case.find("skipped") is not None:
        return NOT_WRITTEN
    problem = next((found for kind in ("failure", "error") if (found := case.find(kind)) is not None), None)
    return PASSED if problem is None else " ".join((problem.text or FAILED).split())
