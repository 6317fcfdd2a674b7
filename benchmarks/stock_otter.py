"""otter-grader on the equal assignment: `otter run`, a process for each submission, and its API, which grades many in one process.

A test file in otter's exception-based format for each exercise, with a case for each hidden test; no PDF, no plugins.
"""

from __future__ import annotations

import json
from pathlib import Path

import nbformat

from benchmarks.assignment import NAME, Assignment, names_of
from benchmarks.environments import Environment
from benchmarks.timing import Failed, Timing, run, run_together, written

ARCHIVE = "autograder.zip"
TEST_FILE = """\
import calls
from otter.test_files import test_case

OK_FORMAT = False
name = "{exercise}"
points = None

{cases}
"""
CASE = """
@test_case(name="{test}", points={points}, hidden=True)
def case_{number}(env):
    calls.make(calls.beside()["{exercise}"][{number}][2], env, calls.same)
"""


def prepare(course: Path, assignment: Assignment, students: int, environment: Environment) -> None:
    """The autograder's archive, and what students handed in."""
    support = assignment.support(course)
    (course / "tests").mkdir()
    for exercise, tests in assignment.tests.items():
        cases = "\n".join(CASE.format(test=test, points=worth, exercise=exercise, number=i) for i, (test, worth, _) in enumerate(tests))
        (course / "tests" / f"{exercise}.py").write_text(TEST_FILE.format(exercise=exercise, cases=cases))
    files = [str(path.relative_to(course)) for path in support]
    generate = [environment.python, "-m", "otter", "generate", "--no-requirements", "--no-environment"]
    run([*generate, *files], folder=course, env=environment.variables)
    for number, student in enumerate(names_of(students)):
        folder = course / "submitted" / student
        folder.mkdir(parents=True)
        nbformat.write(assignment.notebook(number, for_nbgrader=False), folder / f"{NAME}.ipynb")


def grade(course: Path, scratch: Path, assignment: Assignment, jobs: int, environment: Environment) -> Timing:
    """Grade the class with the command."""
    commands = []
    for submission in submissions(course):
        out = scratch / submission.parent.name
        out.mkdir(parents=True)
        command = [environment.python, "-m", "otter", "run", "-a", str(course / ARCHIVE), "-o", str(out), "--no-logo", str(submission)]
        commands.append(command)
    seconds, finished = run_together(commands, jobs, folder=course, env=environment.variables)
    for results in scratch.glob("*/results.json"):
        check(sum(test.get("score", 0) for test in json.loads(results.read_text())["tests"]), assignment)
    return Timing(jobs, seconds, finished)


IN_ONE_PROCESS = """\
import sys
from pathlib import Path
from otter.api import grade_submission

archive, scratch, *submissions = sys.argv[1:]
for submission in map(Path, submissions):
    results = grade_submission(str(submission), archive, quiet=True)
    (Path(scratch) / submission.parent.name).write_text(str(results.total))
"""


def grade_in_one_process(course: Path, scratch: Path, assignment: Assignment, jobs: int, environment: Environment) -> Timing:
    """Grade the class with otter's API, each job one process with its share of the class; otter has no command for that."""
    handed_in = submissions(course)
    command = [environment.python, "-c", IN_ONE_PROCESS, str(course / ARCHIVE), str(scratch)]
    commands = [[*command, *map(str, handed_in[job::jobs])] for job in range(jobs)]
    seconds, _ = run_together(commands, jobs, folder=course, env=environment.variables)
    scores = sorted(scratch.iterdir())
    for score in scores:
        check(float(score.read_text()), assignment)
    return Timing(jobs, seconds, written(scores))


def submissions(course: Path) -> list[Path]:
    """The notebooks that were handed in."""
    return sorted(course.glob(f"submitted/*/{NAME}.ipynb"))


def check(given: float, assignment: Assignment) -> None:
    """Failed where a student did not get all points."""
    if abs(given - assignment.points) > 1e-6:
        raise Failed(f"otter gave {given} points instead of {assignment.points}")
