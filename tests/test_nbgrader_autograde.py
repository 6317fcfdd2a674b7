"""`nbgrader autograde` with the kit's configuration, on a class of every kind: its promises hold, and what it gets wrong is right."""

from __future__ import annotations

import base64
import csv
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from nbgrader.apps.dbapp import DbStudentImportApp
from nbgrader.apps.exportapp import ExportApp

from autograder.batch import STATE
from autograder.content.deliverable import HAND_IN, POINTS
from autograder.content.notebooks import grade_id_of
from autograder.course import find
from autograder.grading.grader import Grader
from autograder.limits import DEFAULT
from autograder.submissions import Candidate, open_submission
from tests.conftest import jail_or_skip
from tests.nbgrader_course import LANGUAGES, Course, cell, doubled, without

EXERCISES = ("softmax", "attention", "heatmap", "kv_cache")
FULL = {f"grade-{id}": float(find(id).points) for id in EXERCISES}
RIGHT = sum(FULL.values())
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(40)).decode()
SCRIPT = "<script>alert(1)</script>"

WRONG_AXIS = "import numpy as np\ndef softmax(x, axis=-1):\n    e = np.exp(x - np.max(x))\n    return e / e.sum(axis=0, keepdims=True)"
NO_SCALE = " / np.sqrt(d_k)"
ALL_EQUAL = "class All:\n    def __eq__(self, other): return True\ndef softmax(x, axis=-1): return All()"
TRICKS = """\
import sys, warnings
import numpy as np, numpy.testing
np.testing.assert_allclose = np.allclose = np.isclose = lambda *a, **k: True
try:
    get_ipython().set_custom_exc((Exception,), lambda *a, **k: None)
    get_ipython().ast_transformers.append(None)
except NameError:
    pass
print(6.0)"""
NOISE = "import sys, warnings\nwarnings.warn('on stderr')\nprint('on stderr', file=sys.stderr)\n"
OTHERS_TEST = "assert double(2) == 4"


@dataclass
class Class:
    """A graded class: nbgrader's logs by assignment, and its gradebook's points by student and assignment."""

    course: Course
    logs: dict[str, str] = field(default_factory=dict)
    success: dict[str, bool] = field(default_factory=dict)
    points: dict[tuple[str, str], dict[str, float | None]] = field(default_factory=dict)

    def of(self, student: str, assignment: str = "attention") -> dict[str, float | None]:
        """The points of the cells that the kit grades."""
        return {id: points for id, points in self.points[student, assignment].items() if id in FULL}

    def notebook(self, student: str, assignment: str = "attention") -> NotebookNode:
        return nbformat.read(self.course.root / "autograded" / student / assignment / f"{assignment}.ipynb", as_version=4)

    def printed(self, student: str, grade_id: str, assignment: str = "attention") -> str:
        """The report in a graded cell."""
        return cell(self.notebook(student, assignment), grade_id).outputs[0].text

    def feedback(self, student: str, assignment: str = "attention") -> str:
        return (self.course.root / "feedback" / student / assignment / f"{assignment}.html").read_text(encoding="utf-8")

    def notes(self, student: str, assignment: str = "attention") -> str:
        """What the grader noticed, as the first cell says it, without Markdown's escapes."""
        first = self.notebook(student, assignment).cells[0].source
        return first.replace("\\", "") if first.startswith("**") else ""

    def log_of(self, student: str, assignment: str = "attention") -> list[str]:
        return [line for line in self.logs[assignment].splitlines() if f"] {student}, " in line or f"/{student}/{assignment}: " in line]


def hand_in_english(course: Course) -> None:
    """One student of each kind, named after it."""
    right = course.solved(*EXERCISES)
    cell(right, "softmax").source = NOISE + cell(right, "softmax").source
    cell(right, "softmax").outputs = [
        nbformat.v4.new_output("stream", name="stdout", text="kept \x1b[31mred\x1b[0m"),
        nbformat.v4.new_output("display_data", data={"image/png": PNG, "text/html": SCRIPT}),
        nbformat.v4.new_output("display_data", data={"text/html": SCRIPT, "image/svg+xml": f"<svg>{SCRIPT}</svg>"}),
        nbformat.v4.new_output("display_data", data={"image/png": '"><script>alert(2)</script>', "text/plain": "no picture"}),
    ]
    cell(right, "prompt").source += f"\n\nUse <query> tags. {SCRIPT} [x](javascript:alert(3))\n"
    right.metadata["title"] = right.metadata["kernelspec"]["display_name"] = SCRIPT
    course.hand_in("right", right, release=True)

    wrong = course.solved(*EXERCISES)
    cell(wrong, "softmax").source = WRONG_AXIS
    cell(wrong, "attention").source = cell(wrong, "attention").source.replace(NO_SCALE, "")
    course.hand_in("wrong", wrong, release=True)

    broken = course.solved("attention")
    cell(broken, "softmax").source = "def softmax(x:"
    cell(broken, "heatmap").source = "import os\ndef ascii_heatmap(*args, **kwargs):\n    os._exit(0)"
    course.hand_in("broken", broken)

    hostile = course.solved()
    hostile.cells.insert(0, nbformat.v4.new_code_cell(TRICKS, id="tricks"))
    cell(hostile, "softmax").source = ALL_EQUAL
    for one in hostile.cells:
        one.metadata["tags"] = ["skip-execution"]
        if grade_id_of(one).startswith("grade-"):
            one.metadata.nbgrader["points"] = 1000
            one.source = one.outputs = []
            one.source = "6.0"
            one.outputs = [nbformat.v4.new_output("execute_result", data={"text/plain": "6.0"})]
    course.hand_in("hostile", hostile)

    course.hand_in(
        "deleted", without(course.solved(*EXERCISES), "check-softmax", "grade-softmax", "check-heatmap", "attention-x", "prompt")
    )
    gone = without(course.solved("softmax"), "attention", "check-attention", "grade-attention")
    course.hand_in("gone", gone)

    twins = doubled(course.released(), "softmax", lambda twin: twin.update(source=course.solutions["attention"]["softmax"]))
    doubled(doubled(twins, "grade-softmax"), "prompt")
    for one in twins.cells:
        if "nbgrader" in one.metadata:
            one.metadata.nbgrader["schema_version"] = 1
    course.hand_in("doubled", twins)

    lost = course.solved("softmax", "attention")
    cell(lost, "prompt").source = cell(lost, "prompt").source.replace("…", "An answer.")
    for one in lost.cells:
        one.metadata = {}
    course.hand_in("lost", lost)

    moved = course.solved("softmax", "attention")
    cell(moved, "softmax").metadata.nbgrader["grade_id"] = "softmax-copy"
    moved.cells.append(moved.cells.pop(moved.cells.index(cell(moved, "attention"))))
    course.hand_in("moved", moved)

    course.hand_in("renamed", course.solved("softmax"), name="my work (1).ipynb", release=True)
    course.hand_in("nested", course.solved("softmax"), name="attention/attention.ipynb")
    course.hand_in("bom", b"\xef\xbb\xbf" + nbformat.writes(course.solved("softmax")).encode())
    course.hand_in("wide", nbformat.writes(course.solved("softmax")).encode("utf-16"))
    course.hand_in("cut", nbformat.writes(course.solved("softmax")).encode()[:2000])
    course.hand_in("page", b"<!DOCTYPE html><html><title>Log in</title></html>")
    course.hand_in("modules", b"def softmax(x): return x", name="softmax.py")
    course.hand_in("linked", course.solved("softmax"))
    (course.folder("linked") / "notes.txt").symlink_to("/etc/passwd")

    in_file = course.hand_in("in_file", course.released(), release=True).parent / HAND_IN
    in_file.write_text(in_file.read_text(encoding="utf-8").replace("…", "Written in the file.", 1), encoding="utf-8")


def hand_in_chinese(course: Course) -> None:
    for student in ("right", "late"):
        course.hand_in(student, course.solved(*EXERCISES[:2], assignment="attention-zh"), assignment="attention-zh", release=True)
    (course.folder("late", "attention-zh") / "timestamp.txt").write_text("2025-03-02 12:00:00 UTC", encoding="utf-8")
    wrong = course.solved(assignment="attention-zh")
    cell(wrong, "softmax").source = WRONG_AXIS
    course.hand_in("wrong", wrong, assignment="attention-zh", release=True)


def other_assignment(course: Course) -> None:
    """An assignment of the same course that has nothing to do with the kit."""
    metadata = {"schema_version": 3, "task": False, "grade": False, "solution": True, "locked": False, "grade_id": "double"}
    graded = {**metadata, "grade": True, "solution": False, "locked": True, "grade_id": "test", "points": 3}
    notebook = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_code_cell(
                "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION", metadata={"nbgrader": metadata}
            ),
            nbformat.v4.new_code_cell(OTHERS_TEST, metadata={"nbgrader": graded}),
        ],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
    )
    path = course.root / "source" / "ps1" / "ps1.ipynb"
    path.parent.mkdir()
    nbformat.write(notebook, path)
    course.hand_in("right", notebook, assignment="ps1")


def autograded(course: Course, api: NbGraderAPI, assignment: str) -> tuple[bool, str]:
    """Whether all went well, and the log. The large class by the command, which grades in several processes; the others in this one."""
    if assignment == "attention":
        command = [sys.executable, "-m", "nbgrader", "autograde", assignment]
        run = subprocess.run(command, cwd=course.root, capture_output=True, text=True, timeout=300)
        return run.returncode == 0, run.stderr
    made = api.autograde(assignment, "*")
    return made["success"], made["log"]


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Class]:
    """The class, released, handed in, graded, and with feedback."""
    jail_or_skip("auto")
    course = Course(tmp_path_factory.mktemp("course"), EXERCISES)
    graded, where = Class(course), os.getcwd()
    os.chdir(course.root)
    try:
        other_assignment(course)
        api = course.api(course.config(LateSubmissionPlugin={"penalty_method": "zero"}))
        for assignment in (*LANGUAGES, "ps1"):
            made = api.generate_assignment(assignment)
            assert made["success"], made["log"]
        with api.gradebook as gradebook:
            gradebook.update_or_create_assignment("attention-zh", duedate="2025-03-01 12:00:00 UTC")
        hand_in_english(course)
        hand_in_chinese(course)
        for assignment in (*LANGUAGES, "ps1"):
            graded.success[assignment], graded.logs[assignment] = autograded(course, api, assignment)
            made = api.generate_feedback(assignment)
            assert made["success"], made["log"]
        with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}") as gradebook:
            for assignment in (*LANGUAGES, "ps1"):
                for submission in gradebook.assignment_submissions(assignment):
                    grades = submission.notebooks[0].grades
                    graded.points[submission.student.id, assignment] = {grade.name: grade.auto_score for grade in grades}
        yield graded
    finally:
        os.chdir(where)


# Points.


def test_right_answers_get_all_points_whatever_they_write_to_stderr(graded: Class):
    assert graded.of("right") == FULL
    assert graded.of("right", "attention-zh") == {**dict.fromkeys(FULL, 0.0), "grade-softmax": 6.0, "grade-attention": 10.0}


@pytest.mark.parametrize(
    ("student", "assignment"), [("right", "attention"), ("wrong", "attention"), ("lost", "attention"), ("wrong", "attention-zh")]
)
def test_points_are_those_that_the_grader_gives_with_the_courses_seed(graded: Class, grader: Grader, student: str, assignment: str):
    seed = int((graded.course.root / STATE / "seed").read_text())
    submission = open_submission(Candidate(student, graded.course.folder(student, assignment), 0.0), DEFAULT)
    report = grader.grade(submission, seed, exercises=EXERCISES)
    assert graded.of(student, assignment) == {f"grade-{e.id}": min(e.score, e.max_score) for e in report.exercises}


def test_a_wrong_answer_loses_its_points_and_no_others(graded: Class):
    points = graded.of("wrong")
    assert points["grade-softmax"] < 6 and points["grade-attention"] < 10
    assert (points["grade-heatmap"], points["grade-kv_cache"]) == (4.0, 5.0)
    assert 0 < graded.of("wrong", "attention-zh")["grade-softmax"] < 6


def test_code_that_does_not_parse_or_ends_the_process_costs_its_own_exercise(graded: Class):
    assert graded.of("broken") == {"grade-softmax": 0.0, "grade-attention": 10.0, "grade-heatmap": 0.0, "grade-kv_cache": 0.0}
    assert "The process ended" in graded.printed("broken", "grade-heatmap")


def test_tricks_gain_nothing(graded: Class):
    assert graded.of("hostile") == dict.fromkeys(FULL, 0.0)
    points = {grade_id_of(c): c.metadata.nbgrader.points for c in graded.notebook("hostile").cells if grade_id_of(c) in FULL}
    assert points == FULL
    assert "Locked cells had been changed and were restored" in graded.notes("hostile")


def test_an_endless_loop_costs_the_kits_own_limit(graded: Class):
    course = graded.course
    loop = course.solved()
    cell(loop, "softmax").source = "def softmax(x, axis=-1):\n    while True: pass"
    course.hand_in("loop", loop)
    config = course.config(JailedGrading={"submission_seconds": 1.0, "seed": 5})
    assert course.api(config).autograde("attention", "loop")["success"]
    assert "The time for this submission was used up" in graded.printed("loop", "grade-softmax")


def test_no_execute_gives_no_points_for_what_was_saved(graded: Class):
    course = graded.course
    config = course.config(Execute={"enabled": False}, ClearOutput={"enabled": False})
    shutil.copytree(course.folder("hostile"), course.folder("saved"))
    assert course.api(config).autograde("attention", "saved")["success"]
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}") as gradebook:
        assert gradebook.find_submission("attention", "saved").score == 0


def test_the_command_grades_a_class_in_several_processes(graded: Class):
    assert re.search(r"Grading \d\d notebooks in 2 processes", graded.logs["attention"])
    assert "processes" not in graded.logs["attention-zh"]


# What came in.


def test_deleted_cells_are_put_back_and_cost_nothing(graded: Class):
    assert graded.of("deleted") == FULL
    assert "Missing cells were put back: check-softmax, grade-softmax, check-heatmap, prompt" in graded.notes("deleted")
    ids = [grade_id_of(c) for c in graded.notebook("deleted").cells if grade_id_of(c)]
    assert ids[:4] == ["softmax", "check-softmax", "grade-softmax", "attention"]
    assert ids.index("check-heatmap") == ids.index("heatmap") + 1
    assert graded.of("gone") == {**dict.fromkeys(FULL, 0.0), "grade-softmax": 6.0}


def test_a_copied_cell_stops_nobody_and_the_written_one_counts(graded: Class):
    assert graded.of("doubled") == {**dict.fromkeys(FULL, 0.0), "grade-softmax": 6.0}
    ids = [grade_id_of(c) for c in graded.notebook("doubled").cells if grade_id_of(c)]
    assert len(ids) == len(set(ids))


def test_cells_without_metadata_are_recognised_and_told(graded: Class):
    assert graded.of("lost") == {**dict.fromkeys(FULL, 0.0), "grade-softmax": 6.0, "grade-attention": 10.0}
    told = "Cells that had lost nbgrader's metadata were recognised by what stands in them: softmax, attention, heatmap, kv_cache, prompt"
    assert told in graded.notes("lost")
    assert "Missing cells" not in graded.notes("lost")
    assert any(told in line for line in graded.log_of("lost"))


def test_a_renamed_id_and_a_moved_cell_cost_nothing(graded: Class):
    assert graded.of("moved") == {**dict.fromkeys(FULL, 0.0), "grade-softmax": 6.0, "grade-attention": 10.0}


@pytest.mark.parametrize(
    ("student", "told"), [("renamed", "handed in as my work (1).ipynb"), ("nested", "lay in a folder"), ("bom", ""), ("wide", "")]
)
def test_a_notebook_of_another_name_place_or_encoding_is_graded(graded: Class, student: str, told: str):
    assert graded.of(student)["grade-softmax"] == 6.0
    assert told in graded.notes(student)


@pytest.mark.parametrize(
    ("student", "told"),
    [
        ("cut", "not graded. The notebook is cut short"),
        ("page", "not graded. This is a web page"),
        ("modules", "not graded, there is no notebook in it. Run `autograder collect`"),
        ("linked", "not graded. notes.txt is a link that leaves the submission"),
    ],
)
def test_what_cannot_be_graded_is_said_and_stops_nobody(graded: Class, student: str, told: str):
    assert told in graded.log_of(student)[0]
    assert not (graded.course.root / "autograded" / student).exists() or not list((graded.course.root / "autograded" / student).iterdir())
    assert not any(points for points in graded.points.get((student, "attention"), {}).values())
    assert not graded.success["attention"]  # nbgrader's exit code is 1
    assert graded.success["attention-zh"]


def test_what_a_killed_run_left_half_done_is_told(graded: Class):
    course = graded.course
    course.hand_in("killed", course.solved("softmax"))
    (course.root / "autograded" / "killed" / "attention").mkdir(parents=True)
    run = course.api().autograde("attention", "*", force=False)
    told = [line for line in run["log"].splitlines() if "half graded" in line]
    assert [line.split("] ")[1].split(",")[0] for line in told] == ["killed"]
    assert course.api().autograde("attention", "killed")["success"]
    assert graded.printed("killed", "grade-softmax").startswith("A softmax that never overflows: 6 / 6")


def test_an_ordinary_submission_leaves_no_warning_of_changed_cells(graded: Class):
    assert graded.notes("wrong") == ""
    assert "has changed!" not in graded.logs["attention"]


# What is graded by hand.


def test_the_prompt_waits_for_a_person_wherever_it_was_written(graded: Class):
    for student in ("right", "lost", "in_file", "deleted"):
        assert graded.points[student, "attention"]["prompt"] is None, student
    assert graded.points["wrong", "attention"]["prompt"] == 0
    assert "Written in the file." in cell(graded.notebook("in_file"), "prompt").source
    assert "Written in the file." in (graded.course.root / "autograded" / "in_file" / "attention" / HAND_IN).read_text(encoding="utf-8")


def test_bonus_and_prompt_stand_in_the_gradebook_with_their_maximum_in_both_languages(graded: Class):
    with Gradebook(f"sqlite:///{graded.course.root / 'gradebook.db'}") as gradebook:
        for assignment in LANGUAGES:
            (notebook,) = gradebook.find_assignment(assignment).notebooks
            assert {c.name: c.max_score for c in notebook.grade_cells if c.max_score} == {**FULL, "prompt": POINTS}


# What is shown.


def test_the_report_is_in_the_language_of_the_assignment(graded: Class):
    assert graded.printed("right", "grade-softmax").startswith("A softmax that never overflows: 6 / 6\n")
    assert graded.printed("right", "grade-softmax", "attention-zh").startswith("不会溢出的 softmax：6 / 6\n")
    assert "调用了 softmax(x" in graded.printed("wrong", "grade-softmax", "attention-zh")


def test_the_feedback_shows_points_and_report_and_nothing_of_the_grader(graded: Class):
    page = graded.feedback("wrong")
    assert "Score: 4.0 / 4.0" in page
    assert "Called softmax(x (" in page
    for hidden in ("autograder.kernel", "HIDDEN TESTS", "Expected", str(graded.course.root / STATE)):
        assert hidden not in page


def test_hints_are_comments_under_the_students_cell(graded: Class):
    with Gradebook(f"sqlite:///{graded.course.root / 'gradebook.db'}") as gradebook:
        comments = {
            student: gradebook.find_comment("attention", "attention", "attention", student).auto_comment
            for student in ("right", "wrong", "renamed")
        }
    assert comments["right"] is None
    assert comments["wrong"].startswith("Hint: ")
    assert comments["renamed"] == "No response."


def test_what_a_student_showed_is_kept_as_text_and_pictures_and_nothing_else(graded: Class):
    outputs = cell(graded.notebook("right"), "softmax").outputs
    assert [dict(o.get("data", {"text": o.get("text")})) for o in outputs] == [
        {"text": "kept red"},
        {"image/png": PNG},
        {"text/plain": "(not shown: image/svg+xml, text/html)"},
        {"text/plain": "no picture"},
    ]
    page = graded.feedback("right")
    assert "kept red" in page and PNG in page
    for active in ("<script>alert", 'href="javascript:', "<query>"):
        assert active not in page
    assert "Use &lt;query&gt; tags. &lt;script&gt;" in page


def test_a_students_link_to_another_file_gets_nowhere(graded: Class):
    assert not [path for path in graded.course.root.glob("feedback/**/notes.txt")]


# Without the kit's configuration.

LOUD = """\
import logging, sys, warnings
import numpy as np
print("on stderr", file=sys.stderr)
np.seterr(divide="raise", invalid="raise")
warnings.simplefilter("error")
logging.basicConfig(level=logging.DEBUG)"""


def test_nbgraders_own_execute_gives_a_right_notebook_the_same_points_and_a_wrong_one_fewer(graded: Class):
    course = graded.course
    loud = course.solved(*EXERCISES)
    loud.cells.insert(0, nbformat.v4.new_code_cell(LOUD, id="loud"))
    softmax = cell(loud, "softmax")
    softmax.source = f"from my_helper import floats\n\n{softmax.source}".replace("x = np.asarray(x, dtype=np.float64)", "x = floats(x)")
    course.hand_in("stock-right", loud, release=True)
    (course.folder("stock-right") / "my_helper.py").write_text("import numpy as np\n\nfloats = np.float64\n", encoding="utf-8")
    shutil.copytree(course.folder("wrong"), course.folder("stock-wrong"))
    shutil.copy(course.root / "gradebook.db", course.root / "stock.db")
    config = course.config(CourseDirectory={"autograded_directory": "stock", "db_url": f"sqlite:///{course.root / 'stock.db'}"})
    for name in ("exporter_class", "sanitize_preprocessors", "autograde_preprocessors"):
        del config.Autograde[name]
    run = course.api(config).autograde("attention", "stock-*")
    assert run["success"], run["log"]
    with Gradebook(f"sqlite:///{course.root / 'stock.db'}") as gradebook:
        right, wrong = (gradebook.find_submission("attention", student).notebooks[0] for student in ("stock-right", "stock-wrong"))
        assert {grade.name: grade.auto_score for grade in right.grades if grade.name in FULL} == FULL
        points = {grade.name: grade.auto_score for grade in wrong.grades}
    assert points["grade-softmax"] < 6 and points["grade-attention"] < 10
    assert (points["grade-heatmap"], points["grade-kv_cache"]) == (4.0, 5.0)


# Beside it.


def test_other_assignments_of_the_course_are_nbgraders_own(graded: Class):
    assert graded.points["right", "ps1"] == {"test": 3.0}
    assert cell(graded.notebook("right", "ps1"), "test").execution_count == 2
    assert not (graded.course.root / "release" / "ps1" / "exercises").exists()


def test_late_penalties_and_export_work_as_always(graded: Class, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(graded.course.root)
    (tmp_path / "class.csv").write_text("id,first_name,last_name\nright,Rita,Right\nabsent,Abe,Absent\n", encoding="utf-8")
    for app, arguments in ((DbStudentImportApp(), [str(tmp_path / "class.csv")]), (ExportApp(), ["--to", str(tmp_path / "grades.csv")])):
        app.initialize(arguments)
        app.start()
    with open(tmp_path / "grades.csv", encoding="utf-8") as file:
        rows = {(row["student_id"], row["assignment"]): row for row in csv.DictReader(file)}
    assert float(rows["right", "attention"]["score"]) == RIGHT
    assert float(rows["right", "attention"]["max_score"]) == RIGHT + POINTS
    assert rows["right", "attention"]["first_name"] == "Rita"
    assert float(rows["absent", "attention"]["score"]) == 0
    late = rows["late", "attention-zh"]
    assert (float(late["raw_score"]), float(late["late_submission_penalty"]), float(late["score"])) == (16.0, 16.0, 0.0)


def test_the_seed_is_kept_where_no_student_gets_it(graded: Class):
    seed = (graded.course.root / STATE / "seed").read_text().strip()
    assert seed.isdigit()
    for part in ("release", "autograded", "feedback"):
        assert not list((graded.course.root / part).rglob("seed"))
