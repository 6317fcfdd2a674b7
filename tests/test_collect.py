"""`autograder collect`: everything that comes in ends up in nbgrader's tree, as a notebook that is worth what was handed in."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from autograder.cli import main
from autograder.collect import tree
from autograder.collect.origin import submission_times
from autograder.collect.released import Released, released
from autograder.content.deliverable import HAND_IN
from autograder.content.notebooks import solution_source
from autograder.course import COURSE
from autograder.grading.grader import Grader
from autograder.limits import DEFAULT
from autograder.reports.model import Report
from autograder.roster import CANVAS, MOODLE, Listed, Roster, who
from autograder.submissions import Submission, discover, folder_name, open_submission
from autograder.submissions.notebooks import read_notebook
from tests.conftest import ROOT, solutions
from tests.handed_in import SOFTMAX, notebook, write, zipped
from tests.test_grading import WRONG_AXIS

SEED = 5
NOON = (2025, 3, 1, 12, 0, 0)
EVENING = (2025, 3, 1, 18, 0, 0)
NEXT_DAY = (2025, 3, 2, 12, 0, 0)

STUDENTS = """id,first_name,last_name,email,lms_user_id
ada,Ada,Lovelace,ada@uni.example,101
alan,Alan,Turing,alan@uni.example,102
ming,小明,王,ming@uni.example,
sean,Seán,O'Neil,sean@uni.example,
kim1,Kim,Lee,kim1@uni.example,
kim2,Kim,Lee,kim2@uni.example,
"""


@pytest.fixture(scope="module")
def releases() -> dict[str, Released]:
    """Both assignments as nbgrader releases them; made once, since nbgrader takes its time."""
    return {name: released(name) for name in ("attention", "attention-zh")}


@pytest.fixture
def course(tmp_path: Path, releases: dict[str, Released]) -> Path:
    """A course folder with a release and the list of students."""
    for name, release in releases.items():
        write(tmp_path / "release" / name, {f"{name}.ipynb": json.dumps(release.notebook), **release.files})
    (tmp_path / "students.csv").write_text(STUDENTS, "utf-8")
    return tmp_path


def run(course: Path, *arguments: str | Path) -> int:
    """`autograder collect` into the course's submitted/."""
    return main(["collect", *map(str, arguments), "--out", str(course / "submitted")])


def table(path: Path) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def collected(course: Path) -> dict[str, str]:
    """Came as -> what became of it."""
    return {row["came_as"]: row["status"] for row in table(course / "submitted" / "collected.csv")}


def in_tree(course: Path) -> list[str]:
    """The submissions in the tree, as <folder>/<assignment>."""
    return sorted(path.parent.relative_to(course / "submitted").as_posix() for path in course.glob("submitted/*/*/*.ipynb"))


def zipped_at(members: Mapping[str, tuple[bytes, tuple[int, ...]]]) -> bytes:
    """A zip whose members have times of their own."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, (content, when) in members.items():
            archive.writestr(zipfile.ZipInfo(name, when), content)  # type: ignore[arg-type]
    return out.getvalue()


def graded(grader: Grader, path: Path, *exercises: str) -> list:
    """What a submission is worth, test by test, as `autograder grade` grades it."""
    (found,) = discover([path], DEFAULT).candidates
    return facts(grader.grade(open_submission(found, DEFAULT), SEED, exercises=exercises))


def facts(report: Report) -> list:
    return [(e.id, e.status, e.score, [(t.id, t.status, t.earned) for t in e.tests]) for e in report.exercises]


def cells_in(path: Path) -> dict[str, str]:
    """grade_id -> source of a notebook's cells."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return {c["metadata"]["nbgrader"]["grade_id"]: "".join(c["source"]) for c in cells if "nbgrader" in c["metadata"]}


def filled(release: Released, sources: Mapping[str, str]) -> bytes:
    """The notebook of a student who has filled in these cells."""
    new = json.loads(json.dumps(release.notebook))
    for cell in new["cells"]:
        grade_id = cell["metadata"].get("nbgrader", {}).get("grade_id")
        cell["source"] = sources.get(grade_id, cell["source"])
    return json.dumps(new, ensure_ascii=False).encode()


# what a collected notebook is worth

SHADOWS = """\
from numpy import *


def softmax(x, axis=-1):
    e = exp(array(x, dtype=float) - amax(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
"""
ATTENTION = """\
import numpy as np

from .softmax import softmax
from exercises import helpers


def scale(K):
    return 1 / np.sqrt(np.shape(K)[-1])


def scaled_dot_product_attention(Q, K, V):
    if any(a != b for a, b in ((np.shape(Q)[-1], np.shape(K)[-1]), (np.shape(K)[-2], np.shape(V)[-2]))):
        raise ValueError("shapes")
    weights = softmax(helpers.scores(Q, K) * scale(K))
    return weights @ V, weights
"""
HELPERS = "import numpy as np\n\n\ndef scores(Q, K):\n    return np.asarray(Q) @ np.swapaxes(K, -1, -2)\n"
SCALING = """\
import numpy as np
import softmax as earlier
from exercises.attention import scale


def dot_product_std(d_k, n_pairs=10_000, seed=0):
    rng = np.random.default_rng(seed)
    raw = (rng.normal(size=(n_pairs, d_k)) * rng.normal(size=(n_pairs, d_k))).sum(-1)
    return raw.std(), raw.std() * scale(np.ones((2, d_k)))


def softmax_jacobian(w):
    return np.eye(w.shape[-1]) * w[..., None] - w[..., :, None] * w[..., None, :]


print(max(1, 2), sum(i for i in range(3)), earlier.softmax, __file__)
if __name__ == "__main__":
    raise SystemExit
"""
WORKS = {
    "right": {f"exercises/{e}.py": solutions()[f"exercises/{e}.py"] for e in ("softmax", "attention", "scaling")},
    "wrong": {"softmax.py": WRONG_AXIS, "attention.py": "def scaled_dot_product_attention(Q, K, V):\n    return V, V\n"},
    "with helpers, relative imports and names that shadow": {
        "exercises/softmax.py": SHADOWS,
        "exercises/attention.py": ATTENTION,
        "exercises/scaling.py": SCALING,
        "exercises/helpers.py": HELPERS,
    },
    "broken at the end": {"softmax.py": SOFTMAX + b"\nraise RuntimeError\n", "attention.py": "def f(:", "scaling.py": "import nowhere"},
    "that lacks an import": {"softmax.py": "import numpy as np\n" + SHADOWS, "attention.py": ATTENTION.replace("import numpy as np", "")},
    "one module alone": {"attention.py": solutions()["exercises/attention.py"]},
    "in another encoding": {"softmax.py": ("# -*- coding: latin-1 -*-\r\n# é\r\n" + SHADOWS).encode("latin-1")},
}


@pytest.mark.parametrize("kind", WORKS)
def test_a_collected_notebook_is_worth_exactly_what_the_modules_are(course: Path, grader: Grader, kind: str) -> None:
    came = write(course / "in" / "ada", WORKS[kind])
    assert run(course, came.parent) == 0
    exercises = ("softmax", "attention", "scaling")
    before, after = graded(grader, came, *exercises), graded(grader, course / "submitted" / "ada" / "attention", *exercises)
    assert before == after
    if kind == "right":
        assert [score for _, _, score, _ in after] == [6, 10, 6]


def test_the_solution_cells_hold_the_modules_imports_included_and_nothing_else_is_touched(
    course: Path, releases: dict[str, Released]
) -> None:
    assert run(course, write(course / "in" / "ada", WORKS["with helpers, relative imports and names that shadow"]).parent) == 0
    folder = course / "submitted" / "ada" / "attention"
    cells = cells_in(folder / "attention.ipynb")
    assert (cells["softmax"], cells["attention"]) == (SHADOWS.strip(), ATTENTION.strip())
    assert (folder / "exercises" / "helpers.py").read_text("utf-8") == HELPERS
    write(course / "as-released", {"a.ipynb": json.dumps(releases["attention"].notebook)})
    before = cells_in(course / "as-released" / "a.ipynb")
    assert {k: v for k, v in cells.items() if k not in ("softmax", "attention", "scaling")} == {
        k: v for k, v in before.items() if k not in ("softmax", "attention", "scaling")
    }


def test_the_cells_alone_are_worth_the_same_where_no_names_collide(course: Path, grader: Grader) -> None:
    modules = {**solutions(), "exercises/softmax.py": WRONG_AXIS, "exercises/masking.py": solutions()["exercises/masking.py"]}
    modules["exercises/masking.py"] = modules["exercises/masking.py"].replace(b"from exercises.softmax", b"from .softmax")
    assert b"from .softmax" in modules["exercises/masking.py"]
    came = write(course / "in" / "ada", modules)
    assert run(course, came.parent) == 0
    cells = read_notebook((course / "submitted" / "ada" / "attention" / "attention.ipynb").read_bytes(), DEFAULT).cells
    exercises = ("softmax", "attention", "masking")
    by_cells = facts(grader.grade(Submission("ada", {}, cells), SEED, exercises=exercises))
    assert by_cells == graded(grader, came, *exercises)


SHELL = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell()
sys.path.insert(0, "")
for cell in json.load(open("attention.ipynb", encoding="utf-8"))["cells"]:
    if cell["cell_type"] == "code" and (cell.get("id") in ("filled-in-by-collect", "softmax", "attention", "scaling")):
        shell.run_cell("".join(cell["source"])).raise_error()
output, weights = shell.user_ns["scaled_dot_product_attention"]([[1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]], [[1.0], [2.0]])
print(float(weights.sum()), output.shape)
"""


def test_the_imports_of_the_modules_work_in_a_plain_kernel(course: Path) -> None:
    works = WORKS["with helpers, relative imports and names that shadow"]
    # In one namespace numpy's `any` and `max` take the place of Python's: why modules are graded as modules.
    own = SHADOWS.replace("from numpy import *", "from numpy import amax, array, exp")
    plain = {**works, "exercises/softmax.py": own, "exercises/scaling.py": SCALING[: SCALING.index("print(")]}
    assert run(course, write(course / "in" / "ada", plain).parent) == 0
    folder = course / "submitted" / "ada" / "attention"
    ran = subprocess.run([sys.executable, "-c", SHELL], cwd=folder, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stdout.split("\n")[-2:], ran.stderr) == (0, ["1.0 (1, 1)", ""], ""), ran.stdout + ran.stderr


def test_a_notebook_that_came_is_taken_byte_for_byte_under_the_right_name(course: Path, releases: dict[str, Released]) -> None:
    raw = filled(releases["attention"], {"softmax": SHADOWS})
    write(course / "in", {"ada (2).ipynb": raw, "alan.ipynb": b"\xef\xbb\xbf" + raw, "ming/attention-2.ipynb": raw})
    assert run(course, course / "in") == 0
    assert in_tree(course) == sorted(f"{name}/attention" for name in (folder_name("ada (2)"), "alan", "ming"))
    assert (course / "submitted" / "ming" / "attention" / "attention.ipynb").read_bytes() == raw
    # nbformat reads no file with a byte order mark: nbgrader would leave this student without a grade.
    assert (course / "submitted" / "alan" / "attention" / "attention.ipynb").read_bytes() != raw
    assert json.loads((course / "submitted" / "alan" / "attention" / "attention.ipynb").read_bytes()) == json.loads(raw)
    assert (course / "submitted" / "ming" / "attention" / "exercises" / "tests" / "notebook.py").is_file()
    assert not (course / "submitted" / "ming" / "attention" / "exercises" / "softmax.py").exists()


def test_a_notebook_saved_as_a_script_is_worth_the_same_and_has_every_cell_that_nbgrader_grades(
    course: Path, grader: Grader, releases: dict[str, Released]
) -> None:
    cells = [solution_source((ROOT / "solutions" / f"{e}.py").read_text("utf-8")) for e in ("softmax", "attention")]
    script = "# coding: utf-8\n\n# In[1]:\n\nx = 1\n\n# In[2]:\n\n" + "\n\n# In[3]:\n\n".join(cells)
    came = write(course / "in" / "ada", {"attention-notebook.py": script})
    assert run(course, course / "in") == 0
    path = course / "submitted" / "ada" / "attention" / "attention.ipynb"
    exercises = ("softmax", "attention")
    assert graded(grader, path.parent, *exercises) == graded(grader, came, *exercises)
    write(course / "as-released", {"a.ipynb": json.dumps(releases["attention"].notebook)})
    assert cells_in(path).keys() == cells_in(course / "as-released" / "a.ipynb").keys()
    assert "np.exp" in cells_in(path)["softmax"]


def test_an_answer_that_was_handed_in_as_a_file_goes_into_the_cell_that_is_graded_by_hand(
    course: Path, releases: dict[str, Released]
) -> None:
    raw = filled(releases["attention"], {"softmax": SHADOWS})
    write(course / "in" / "ada", {"softmax.py": SHADOWS, HAND_IN: "# Mine\n\nThink of a library."})
    write(course / "in" / "alan", {"softmax.py": SHADOWS, HAND_IN: releases["attention"].prompt_file})
    write(course / "in" / "ming", {"attention.ipynb": raw, HAND_IN: "Think of a library."})
    written = filled(releases["attention"], {"prompt": "In the notebook."})
    write(course / "in" / "sean", {"attention.ipynb": written, HAND_IN: "Think of a library."})
    assert run(course, course / "in") == 0
    prompts = {p.parents[1].name: cells_in(p)["prompt"] for p in course.glob("submitted/*/*/*.ipynb")}
    stub = cells_in_release(releases["attention"])["prompt"]
    assert prompts == {"ada": "# Mine\n\nThink of a library.", "alan": stub, "ming": "Think of a library.", "sean": "In the notebook."}


def cells_in_release(release: Released) -> dict[str, str]:
    return {c["metadata"]["nbgrader"]["grade_id"]: "".join(c["source"]) for c in release.notebook["cells"] if "nbgrader" in c["metadata"]}


def test_each_notebook_goes_to_the_assignment_that_it_came_from_unless_one_is_named(course: Path, releases: dict[str, Released]) -> None:
    for name, release in (("ada", releases["attention"]), ("ming", releases["attention-zh"])):
        write(course / "in" / name, {"notebook.ipynb": filled(release, {"softmax": SHADOWS})})
    write(course / "in" / "sean", {"softmax.py": SHADOWS})
    assert run(course, course / "in") == 0
    assert in_tree(course) == ["ada/attention", "ming/attention-zh", "sean/attention"]
    assert (course / "submitted" / "ming" / "attention-zh" / "attention-zh.ipynb").is_file()
    assert run(course, course / "in" / "ming", "--assignment", "attention") == 0
    assert (course / "submitted" / "ming" / "attention" / "attention.ipynb").is_file()


# whose it is


def test_a_class_zip_of_canvas_is_matched_by_user_id_and_by_name_and_nobody_is_guessed(course: Path) -> None:
    names = {
        "lovelaceada_101_9001_softmax.py": "ada",
        "turingalan_LATE_102_9002_softmax.py": "alan",
        "王小明_777_9003_softmax.py": "ming",
        "oneilseán_778_9004_softmax.py": "sean",
        "leekim_779_9005_softmax.py": None,  # two students have this name
        "lovelaceada_780_9006_softmax.py": None,  # another Ada Lovelace: the list's has number 101
        "nobody_781_9008_softmax.py": None,
    }
    (course / "class.zip").write_bytes(zipped(dict.fromkeys(names, SOFTMAX)))
    assert run(course, course / "class.zip", "--students", course / "students.csv") == 1
    assert in_tree(course) == sorted(f"{student}/attention" for student in names.values() if student)
    unmatched = {row["came_as"]: row["could_be"] for row in table(course / "submitted" / "unmatched.csv")}
    assert unmatched == {"leekim_779": "kim1 kim2", "lovelaceada_780": "", "nobody_781": ""}
    rows = {row["came_as"]: row for row in table(course / "submitted" / "collected.csv")}
    assert "late" in rows["turingalan_102"]["notes"]


def test_a_class_zip_of_moodle_is_matched_by_the_full_name(course: Path) -> None:
    who_it_is = {"Ada Lovelace_5": "ada", "王 小明_6": "ming", "O'Neil Seán_101": "sean", "Kim Lee_7": None, "Participant_8": None}
    members = {f"{name}_assignsubmission_file/exercises/softmax.py": SOFTMAX for name in who_it_is}
    (course / "class.zip").write_bytes(zipped(members))
    assert run(course, course / "class.zip", "--students", course / "students.csv") == 1
    assert in_tree(course) == sorted(f"{student}/attention" for student in who_it_is.values() if student)
    assert {row["came_as"] for row in table(course / "submitted" / "unmatched.csv")} == {"Kim Lee_7", "Participant_8"}


LIST = [Listed("ada", "Ada", "Lovelace", "ada@uni.example", "101"), Listed("b", "Bo", "Li", lms_user_id="7"), Listed("c", "Bo", "Li")]


@pytest.mark.parametrize(
    ("shown", "system", "expected"),
    [
        ("ada", "", "ada"),
        ("ADA", "", "ada"),
        ("ada@uni.example", "", "ada"),
        ("101", "", "ada"),
        ("Ada Lovelace", "", "ada"),
        ("Lovelace, Ada", "", "ada"),
        ("ad", "", None),
        ("Ada", "", "ada"),
        ("Lovelace", "", None),
        ("lovelaceada_101", CANVAS, "ada"),
        ("byronada_101", CANVAS, "ada"),  # a name can change, a user id does not
        ("lovelaceada_5", CANVAS, None),  # a namesake
        ("lovelaceada_7", CANVAS, None),  # the number is Bo's, and Ada's is another
        ("liboada_9", CANVAS, None),
        ("libo_9", CANVAS, "c"),  # the other Bo Li has another number
        ("libo_7", CANVAS, "b"),
        ("Bo Li_9", MOODLE, None),
        ("Bo Li_7", MOODLE, "b"),
        ("Ada Lovelace_7", MOODLE, "ada"),  # a participant's number is no user's id
        ("Somebody_101", MOODLE, None),
    ],
)
def test_a_name_of_an_lms_finds_its_student_or_none(shown: str, system: str, expected: str | None) -> None:
    match = Roster(LIST).find(who(shown, system))
    assert (match.student.id if match.student else None) == expected


def test_the_gradebooks_own_students_serve_as_a_list(course: Path) -> None:
    from nbgrader.api import Base
    from sqlalchemy import create_engine

    engine = create_engine(f"sqlite:///{course / 'gradebook.db'}")  # nbgrader's own tables, without its migrations
    Base.metadata.create_all(engine)
    with engine.begin() as connection:
        row = {"id": "ada", "first_name": "Ada", "last_name": "Lovelace", "lms_user_id": "101"}
        connection.execute(Base.metadata.tables["student"].insert(), [row])
    engine.dispose()
    before = (course / "gradebook.db").read_bytes()
    (course / "class.zip").write_bytes(zipped({"lovelaceada_101_1_softmax.py": SOFTMAX, "turingalan_102_2_softmax.py": SOFTMAX}))
    assert run(course, course / "class.zip", "--students", course / "gradebook.db") == 1
    assert in_tree(course) == ["ada/attention"]
    assert (course / "gradebook.db").read_bytes() == before


def test_without_a_list_the_id_is_the_graders_own(course: Path) -> None:
    (course / "class.zip").write_bytes(zipped({"lovelaceada_101_1_softmax.py": SOFTMAX, "turingalan_102_2_softmax.py": SOFTMAX}))
    assert run(course, course / "class.zip") == 0
    assert in_tree(course) == [f"{c.student}/attention" for c in discover([course / "class.zip"], DEFAULT).candidates]


def test_an_id_that_nbgrader_cannot_take_becomes_the_slug_of_its_report_and_a_list_says_so(course: Path, capsys) -> None:
    odd = ["=1+1", "a,b", "br[1]", "-rf", 'q"t', "star*", "a\u202eb", "x" * 200]
    fine = ["ada@uni.example", "Ada Lovelace_12", "o'neil", "李雷", "a+b"]
    for name in (*odd, *fine):
        write(course / "in" / name, {"softmax.py": SOFTMAX})
    assert run(course, course / "in") == 0
    assert sorted(in_tree(course)) == sorted(f"{name}/attention" for name in (*map(folder_name, odd[:-1]), odd[-1], *fine))
    rows = {row["came_as"].lstrip("'"): row for row in table(course / "submitted" / "collected.csv")}
    assert rows["a,b"]["folder"] == folder_name("a,b") and folder_name("a,b") in rows["a,b"]["notes"]
    assert folder_name("a,b") in capsys.readouterr().out


# when it came, and which attempt counts


def test_the_time_that_an_lms_gives_becomes_nbgraders_time_stamp_in_utc(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nbgrader.utils import parse_utc

    monkeypatch.setenv("TZ", "Asia/Shanghai")
    time.tzset()
    try:
        members = {"lovelaceada_101_1_softmax.py": (SOFTMAX, NOON), "turingalan_102_2_softmax.py": (SOFTMAX, NEXT_DAY)}
        (course / "class.zip").write_bytes(zipped_at(members))
        assert run(course, course / "class.zip", "--students", course / "students.csv") == 0
    finally:
        monkeypatch.undo()
        time.tzset()
    text = (course / "submitted" / "ada" / "attention" / "timestamp.txt").read_text()
    assert text == "2025-03-01 04:00:00.000000 UTC\n"
    assert parse_utc(text.strip()).isoformat() == "2025-03-01T04:00:00"


def test_the_time_of_the_download_is_nobodys_time_of_submission(course: Path) -> None:
    members = {"lovelaceada_101_1_softmax.py": (SOFTMAX, NOON), "turingalan_102_2_softmax.py": (SOFTMAX, (2025, 3, 1, 12, 9, 0))}
    (course / "class.zip").write_bytes(zipped_at(members))
    write(course / "in" / "ming", {"softmax.py": SOFTMAX})
    assert run(course, course / "class.zip", course / "in") == 0
    assert list(course.glob("submitted/*/*/timestamp.txt")) == []


def test_nbgraders_own_time_stamp_is_kept(course: Path) -> None:
    folder = write(course / "old" / "submitted" / "ada" / "attention", {"softmax.py": SOFTMAX})
    (folder / "timestamp.txt").write_text("2025-03-01 12:00:00.000000 Europe/Berlin")
    assert run(course, course / "old" / "submitted") == 0
    stamp = (course / "submitted" / "ada" / "attention" / "timestamp.txt").read_text()
    assert stamp == "2025-03-01 11:00:00.000000 UTC\n"
    (found,) = discover([course / "submitted" / "ada" / "attention"], DEFAULT).candidates
    assert submission_times([found]) == {found: found.time}


def test_a_time_stamp_that_a_student_wrote_is_none(course: Path) -> None:
    stamp = {"timestamp.txt": "2020-01-01 00:00:00.000000 UTC", "softmax.py": SOFTMAX}
    write(course / "class" / "Ada Lovelace_5_assignsubmission_file_", stamp)
    write(course / "class" / "Kim Lee_6_assignsubmission_file_", stamp)
    write(course / "in" / "ming", stamp)
    assert run(course, course / "class", course / "in" / "ming") == 0
    assert len(in_tree(course)) == 3 and list(course.glob("submitted/*/*/timestamp.txt")) == []


def test_the_latest_attempt_wins_whatever_names_the_attempts_came_under(course: Path) -> None:
    members = {"lovelaceada_101_1_softmax.py": (SHADOWS.encode(), NEXT_DAY), "turingalan_102_2_softmax.py": (SOFTMAX, NOON)}
    (course / "class.zip").write_bytes(zipped_at(members))
    (course / "moodle.zip").write_bytes(zipped_at({"Ada Lovelace_5_assignsubmission_file/softmax.py": (SOFTMAX, EVENING)}))
    assert run(course, course / "class.zip", course / "moodle.zip", "--students", course / "students.csv") == 0
    assert (course / "submitted" / "ada" / "attention" / "exercises" / "softmax.py").read_text() == SHADOWS
    assert collected(course) == {"lovelaceada_101": "collected", "turingalan_102": "collected", "Ada Lovelace_5": "older"}


def test_a_newer_submission_in_the_tree_is_overwritten_only_by_force(course: Path) -> None:
    def zip_of(content: bytes, when: tuple[int, ...]) -> Path:
        path = course / "class.zip"
        path.write_bytes(zipped_at({"ada_1_1_softmax.py": (content, when), "bo_2_2_softmax.py": (SOFTMAX, (2024, 1, 1, 0, 0, 0))}))
        return path

    module = course / "submitted" / "ada_1" / "attention" / "exercises" / "softmax.py"
    assert run(course, zip_of(b"x = 1", EVENING)) == 0
    assert run(course, zip_of(b"x = 2", NOON)) == 1
    assert (module.read_bytes(), collected(course)["ada_1"]) == (b"x = 1", "newer there")
    assert run(course, zip_of(b"x = 2", NOON), "--force") == 0
    assert (module.read_bytes(), collected(course)["ada_1"]) == (b"x = 2", "replaced")
    assert run(course, zip_of(b"x = 3", NEXT_DAY)) == 0
    assert module.read_bytes() == b"x = 3"
    assert (course / "submitted" / "ada_1" / "attention" / "timestamp.txt").read_text().startswith("2025-03-02")


def test_what_is_there_already_is_left_alone(course: Path) -> None:
    came = write(course / "in" / "ada", {"softmax.py": SOFTMAX})
    assert run(course, came) == 0
    path = course / "submitted" / "ada" / "attention" / "attention.ipynb"
    inode = os.stat(path).st_ino
    assert run(course, came) == 0
    assert (os.stat(path).st_ino, collected(course)) == (inode, {"ada": "unchanged"})


def test_a_run_that_was_killed_loses_nobodys_submission(course: Path) -> None:
    came = write(course / "in" / "ada", {"softmax.py": SOFTMAX})
    assert run(course, came) == 0
    there = course / "submitted" / "ada" / "attention"
    there.rename(there.with_name(".collected-before-attention"))  # as between the two renames
    write(course / "submitted" / ".collecting-1234", {"attention.ipynb": "{"})
    tree.tidy(course / "submitted")
    assert (there / "attention.ipynb").is_file()
    assert [path.name for path in (course / "submitted").glob(".*")] == []


# what goes wrong


def test_a_broken_submission_is_reported_and_stops_no_other(course: Path, capsys) -> None:
    write(course / "in", {"ada.ipynb": b"<html>log in", "alan.zip": b"PK\x03\x04broken", "ming/softmax.py": SOFTMAX})
    write(course / "in" / "sean", {"attention.ipynb": notebook()[:40]})
    (course / "submitted").mkdir()
    (course / "submitted" / "kim1").write_text("in the way")
    write(course / "in" / "kim1", {"softmax.py": SOFTMAX})
    assert run(course, course / "in") == 1
    assert in_tree(course) == ["ming/attention"]
    assert collected(course) == {**dict.fromkeys(("ada", "alan", "sean", "kim1"), "unreadable"), "ming": "collected"}
    told = capsys.readouterr().out
    assert "web page" in told and "cannot be written" in told
    assert not (course / "submitted" / "unmatched.csv").exists()


def test_a_students_file_never_takes_the_place_of_the_kits(course: Path) -> None:
    files = {"softmax.py": SOFTMAX, "exercises/tests": "a file", "exercises/data": "a file", "attention.ipynb/x.txt": "a folder"}
    came = write(course / "in" / "ada", {**files, "timestamp.txt": "1999-01-01 00:00:00.000000 UTC"})
    assert run(course, came) == 0
    folder = course / "submitted" / "ada" / "attention"
    assert json.loads((folder / "attention.ipynb").read_text())["cells"]
    assert (folder / "exercises" / "tests" / "notebook.py").is_file() and (folder / "exercises" / "data").is_dir()


@pytest.mark.parametrize(
    "arguments",
    [
        ["nowhere"],
        ["in", "--out", "students.csv"],
        ["in", "--out", "in/submitted"],
        ["in/ada", "--out", "in"],
        ["in", "--students", "nowhere.csv"],
        ["in", "--students", "in/ada/softmax.py"],
        ["in", "--students", "broken.db"],
        ["in", "--students", "twice.csv"],
        ["in", "--release", "in"],
        ["in", "--out", "students.csv/submitted"],
    ],
)
def test_arguments_that_cannot_be_used_end_with_2_and_nothing_is_written(
    course: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    write(course / "in" / "ada", {"softmax.py": SOFTMAX})
    write(course, {"broken.db": b"SQLite format 3\0rubbish", "twice.csv": "id\nada\nada\n"})
    monkeypatch.chdir(course)
    assert main(["collect", *arguments]) == 2
    assert capsys.readouterr().err.startswith("autograder collect: ")
    assert not (course / "submitted").exists() and not (course / "in" / "collected.csv").exists()


def test_a_list_of_students_may_come_from_a_spreadsheet(course: Path) -> None:
    write(course / "in" / "ada lovelace", {"softmax.py": SOFTMAX})
    for text in ("\ufeffid;first_name;last_name\r\nada;Ada;Lovelace\r\n", 'last_name,"id",first_name\nLovelace,ada,Ada\n'):
        (course / "students.csv").write_bytes(text.encode())
        assert run(course, course / "in", "--students", course / "students.csv") == 0
    assert in_tree(course) == ["ada/attention"]


def test_who_handed_in_nothing_is_named(course: Path, capsys) -> None:
    write(course / "in" / "ada", {"softmax.py": SOFTMAX})
    assert run(course, course / "in", "--students", course / "students.csv") == 0
    assert "alan, ming, sean, kim1, kim2" in capsys.readouterr().out


def test_without_a_release_folder_the_notebook_is_made_from_the_source(tmp_path: Path, releases: dict[str, Released]) -> None:
    """`releases` is made that way: it has a stub in every solution cell, and no hidden test."""
    cells = cells_in_release(releases["attention"])
    assert all("NotImplementedError" in cells[e.id] or e.id == "concepts" for e in COURSE)
    assert not any("HIDDEN TESTS" in source for source in cells.values())
    assert set(releases["attention"].support) >= {"exercises/lstm.py", "exercises/tests/notebook.py", "exercises/__init__.py"}
    assert not any(f"exercises/{e.module}.py" in releases["attention"].support for e in COURSE)
