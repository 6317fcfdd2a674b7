"""docs/instructors.md: a copy of the course is changed as the page says, built, checked, released and graded."""

from __future__ import annotations

import ast
import csv
import json
import re
import subprocess
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbgrader.api import Gradebook

from autograder import cli, course
from autograder.batch import STATE, kept_seed
from autograder.content import dropped
from autograder.content.build import build
from autograder.content.layout import Layout
from autograder.content.leaks import find_leaks
from autograder.content.notebooks import grade_id_of
from autograder.content.proof import solution_files
from autograder.course import COURSE, MAX_SCORE, find
from autograder.grading.grader import Grader
from autograder.grading.reference import Reference
from autograder.grading.rubric import Graded, in_points
from autograder.grading.session import graded_mark
from autograder.language import Text, speaking
from autograder.reports.late import late_note, late_notes
from solutions.multi_head import multi_head_attention
from tests.conftest import ROOT, jail_or_skip
from tests.course_copy import copy_course, edit, run
from tests.nbgrader_course import Course

PAGES = {"en": ROOT / "docs" / "instructors.md", "zh": ROOT / "docs" / "instructors.zh-CN.md"}
SEED, DUE = 48104729, datetime.fromisoformat("2027-03-01T23:59:00+01:00")  # as on the page
FULL, BONUS = 102.0, 10.0  # 2 more for masking; 5 of the bonus were those of blockwise


def edits(page: Path) -> list[tuple[str, str]]:
    """The text before and after, for every edit that a page shows."""
    blocks = [block.splitlines() for block in re.findall(r"```diff\n(.*?)```", page.read_text("utf-8"), re.DOTALL)]

    def side(lines: list[str], other: str) -> str:
        return "".join(f"{line[1:]}\n" for line in lines if line[0] != other)

    return [(side(lines, "+"), side(lines, "-")) for lines in blocks]


@dataclass(frozen=True)
class Changed:
    """A course after all of the page's edits, and what `autograder build` said to them."""

    layout: Layout
    built: subprocess.CompletedProcess[str]

    def cells(self, assignment: str) -> dict[str, nbformat.NotebookNode]:
        nb = nbformat.read(self.layout.source / assignment / f"{assignment}.ipynb", as_version=4)
        return {grade_id_of(cell): cell for cell in nb.cells}


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Changed:
    layout = copy_course(tmp_path_factory.mktemp("course"))
    for old, new in edits(PAGES["en"]):
        edit(layout.root / "autograder" / "course.py", old, new)
    return Changed(layout, run(layout, "autograder", "build"))


def test_both_pages_show_the_same_edits_and_each_fits_one_place():
    shown = edits(PAGES["en"])
    assert shown == edits(PAGES["zh"])
    assert len(shown) == 4
    text = (ROOT / "autograder" / "course.py").read_text("utf-8")
    assert [text.count(old) for old, _ in shown] == [1, 1, 1, 1]


def test_build_carries_the_changes_and_leaves_what_people_wrote(changed: Changed):
    assert changed.built.returncode == 0, changed.built.stderr
    for readme in ("README.md", "README.zh-CN.md"):
        table = (changed.layout.root / readme).read_text("utf-8")
        assert re.search(r"\| `masking` \|.*\| 18 \|", table)
        assert "| `blockwise` |" not in table
    for assignment in ("attention", "attention-zh"):
        assert changed.cells(assignment)["grade-masking"].metadata.nbgrader.points == 18
        assert "blockwise" in changed.cells(assignment)
    assert "blockwise" not in (changed.layout.visible_tests / "course.py").read_text("utf-8")
    assert '"blockwise"' not in changed.layout.hints.read_text("utf-8")
    blockwise = find("blockwise")
    for path in (changed.layout.solution(blockwise), changed.layout.visible_test(blockwise), changed.layout.hidden_test(blockwise)):
        assert path.read_bytes() == (ROOT / path.relative_to(changed.layout.root)).read_bytes()
    assert "Note: blockwise is not in COURSE: " in changed.built.stderr


def test_the_changed_course_is_whole(changed: Changed):
    jail_or_skip("auto")
    done = run(changed.layout, "autograder", "build", "--check")
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"14 exercises, {FULL:g} points and {BONUS:g} bonus: all up to date and complete\n"


def test_the_release_has_neither_the_dropped_exercise_nor_the_seed(changed: Changed):
    done = run(changed.layout, "autograder", "release", "--out", "out")
    assert done.returncode == 0, done.stderr
    for assignment in ("attention", "attention-zh"):
        with zipfile.ZipFile(changed.layout.root / "out" / f"{assignment}.zip") as archive:
            assert not [name for name in archive.namelist() if "blockwise" in name]
            assert not [name for name in archive.namelist() if str(SEED) in archive.read(name).decode("utf-8", "replace")]
            nb = nbformat.reads(archive.read(f"{assignment}/{assignment}.ipynb").decode(), as_version=4)
        ids = [cell.id for cell in nb.cells]
        assert not [id for id in ids if "blockwise" in id]
        assert ids[ids.index("kv-cache-try") + 1] == "backward-lesson"


LOOKS_FOR_THE_SEED = f"""
import os as _os, sys as _sys
_places = [_os.path.join(path, "autograder", "course.py") for path in _sys.path]
if any(map(_os.path.exists, _places)) or "autograder.course" in _sys.modules or "{SEED}" in str(_os.environ):
    raise RuntimeError("the seed is in here")
"""


def hand_in(layout: Layout, student: str, when: str, changes: dict[str, str] | None = None) -> None:
    """A complete submission in nbgrader's tree. changes: what to put behind a module."""
    folder = layout.root / "submitted" / student / "attention"
    for name, content in solution_files(layout).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content + (changes or {}).get(path.stem, "").encode())
    if when:
        (folder / "timestamp.txt").write_text(when, encoding="utf-8")


def test_grading_goes_by_the_changed_course(changed: Changed):
    jail_or_skip("auto")
    hand_in(changed.layout, "ada", "2027-03-02 01:00:00 UTC", {"softmax": LOOKS_FOR_THE_SEED})
    hand_in(changed.layout, "bo", "2027-03-01 22:59:00 UTC", {"masking": "\n\ndef padding_mask(lengths, n_k):\n    return None\n"})
    hand_in(changed.layout, "chen", "")
    done = run(changed.layout, "autograder", "grade", "submitted", "--out", "graded")
    assert done.returncode == 0, done.stderr
    graded = changed.layout.root / "graded"
    with (graded / "grades.csv").open(newline="", encoding="utf-8") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert "blockwise" not in rows["ada"]
    for who in ("ada", "chen"):
        numbers = [rows[who][column] for column in ("score", "max_score", "bonus", "masking")]
        assert numbers == [f"{FULL}", f"{FULL}", f"{BONUS}", "18.0"]
    assert 0 < float(rows["bo"]["masking"]) < 18
    reports = {who: json.loads((graded / who / "report.json").read_bytes()) for who in rows}
    for report in reports.values():
        assert report["seed"] == SEED
        for exercise in report["exercises"]:
            worth = [Fraction(str(test["points"])) for test in exercise["tests"]]
            earned = [Fraction(str(test["earned"])) for test in exercise["tests"]]
            assert (sum(worth), sum(earned)) == (Fraction(str(exercise["max_score"])), Fraction(str(exercise["score"])))
    late = "Late: handed in 2027-03-02 02:00+01:00, 2 h 1 min after the deadline, 2027-03-01 23:59+01:00."
    assert {who: late_notes(report["notes"]) for who, report in reports.items()} == {"ada": [late], "bo": [], "chen": []}
    pages = {who: (graded / who / "feedback.html").read_text("utf-8") for who in rows}
    assert {who: late in page for who, page in pages.items()} == {"ada": True, "bo": False, "chen": False}
    assert late in (graded / "summary.html").read_text("utf-8")


def test_nbgrader_knows_points_and_deadline(changed: Changed):
    done = run(changed.layout, "nbgrader", "generate_assignment", "attention", "--force")
    assert done.returncode == 0, done.stderr
    with Gradebook(f"sqlite:///{changed.layout.root / 'gradebook.db'}") as gradebook:
        assignment = gradebook.find_assignment("attention")
        assert assignment.duedate == DUE.astimezone(UTC).replace(tzinfo=None)
        points = {cell.name: cell.max_score for cell in assignment.notebooks[0].grade_cells}
    assert points["grade-masking"] == 18
    assert "grade-blockwise" not in points


def test_an_assignment_that_nbgrader_has_not_released_is_told_with_the_way_out(tmp_path: Path):
    folder = Course(tmp_path, ["softmax"])
    folder.hand_in("ada", b"{}")
    result = folder.api().autograde("attention", "ada")
    assert not result["success"]
    assert "the gradebook does not know it yet: run `nbgrader generate_assignment attention --force` first" in result["log"]


# points


def test_the_course_as_it_comes_has_100_points_and_every_test_what_it_declares(grader: Grader):
    assert (MAX_SCORE, sum(e.points for e in COURSE if e.bonus)) == (100, 15)
    for exercise in COURSE:
        declared = [graded_mark(item) for item in grader.tests.items[exercise.id]]
        assert list(grader.tests.rubric(exercise).values()) == declared


def lines(*points: float) -> list[Graded]:
    return [Graded(worth, Text("a test", "测试")) for worth in points]


@given(st.lists(st.integers(1, 400), min_size=1, max_size=40), st.integers(1, 10_000))
def test_shares_add_up_exactly_and_stay_in_proportion(declared: list[int], hundredths: int):
    made = in_points(lines(*(number / 8 for number in declared)), hundredths / 100)
    given = [Fraction(str(line.points)) for line in made]
    assert sum(given) == Fraction(hundredths, 100)
    exact = [Fraction(number * hundredths, 100 * sum(declared)) for number in declared]
    assert all(abs(is_ - should) < Fraction(1, 100) for is_, should in zip(given, exact, strict=True))


def test_points_that_add_up_stay_and_equal_shares_stay_equal_where_they_can():
    assert in_points(lines(0.1, 0.2, 0.7), 1) == lines(0.1, 0.2, 0.7)
    assert in_points(lines(*[0.125] * 16), 3) == lines(*[0.1875] * 16)
    assert in_points(lines(1, 1, 1), 1) == lines(0.34, 0.33, 0.33)
    assert in_points(lines(0, 0), 5) == lines(0, 0)


# dropping


def without_exercises(monkeypatch: pytest.MonkeyPatch, *ids: str) -> None:
    left = tuple(exercise for exercise in COURSE if exercise.id not in ids)
    for module in ("autograder.course", "autograder.content.dropped", "autograder.grading.reference"):
        monkeypatch.setattr(f"{module}.COURSE", left)


def test_where_others_build_on_it_build_names_them_and_writes_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    layout = copy_course(tmp_path)
    layout.stub(find("heatmap")).unlink()
    without_exercises(monkeypatch, "multi_head", "attention")
    told = [str(fault) for fault in build(layout).faults]
    assert told[0].startswith("autograder/course.py: attention is not in COURSE, and these build on it: scaling, masking, ")
    assert told[1] == (
        "autograder/course.py: multi_head is not in COURSE, and these build on it: torch_parity; put it back, or take these out too"
    )
    assert not layout.stub(find("heatmap")).exists()
    with pytest.raises(cli.Unusable, match="attention is not in COURSE"):
        cli.run_grade(cli.parser().parse_args(["grade", str(tmp_path), "--out", str(tmp_path / "out")]))


def test_examples_that_lack_a_name_now_are_told_by_their_cells(monkeypatch: pytest.MonkeyPatch):
    without_exercises(monkeypatch, "heatmap", "multi_head", "torch_parity")
    told = list(dropped.notes(Layout()))
    assert len(told) == 5
    for note, notebook in zip(told[3:], ("attention", "attention-zh"), strict=True):
        assert note.startswith(f"source/{notebook}/{notebook}.ipynb: change or delete these cells")
        assert "trained-try (ascii_heatmap, draw_attention, picture)" in note
        assert "trained-heads-try (draw_heads, multi_head_attention, picture)" in note


def test_a_name_that_no_section_defines_is_nobodys_loss():
    left_out, kept = (nbformat.v4.new_code_cell(code) for code in ("def picture():\n    return 1", "display(picture(), %time)"))
    assert list(dropped._at_a_loss([left_out, kept], [kept])) == []
    kept.source = "display(picture())"
    assert list(dropped._at_a_loss([left_out, kept], [kept])) == [(kept, ["picture"])]


def test_another_exercises_hidden_test_may_ask_for_what_was_dropped(monkeypatch: pytest.MonkeyPatch):
    without_exercises(monkeypatch, "multi_head", "torch_parity")
    assert Reference().multi_head_attention is multi_head_attention
    with pytest.raises(AttributeError):
        Reference().nothing_of_the_kind  # noqa: B018


def cells(*given: str) -> list[nbformat.NotebookNode]:
    """`#…` and `text` are prose, all else are cells with that grade_id."""
    made = []
    for source in given:
        prose = source.startswith("#") or source == "text"
        cell = nbformat.v4.new_markdown_cell(source) if prose else nbformat.v4.new_code_cell("pass")
        cell.metadata["nbgrader"] = {"grade_id": "" if prose or source == "example" else source}
        made.append(cell)
    return made


@pytest.mark.parametrize(
    ("given", "left"),
    [
        ("## a|text|a|check-a|grade-a|text|example|## b|b", "## b|b"),
        ("# t|text|## a|a|### more|example", "# t|text"),
        ("a|check-a|grade-a|text|## b|b", "text|## b|b"),
        ("## both|a|text|b|example", "## both|text|b|example"),
        ("## b|b", "## b|b"),
    ],
)
def test_a_section_goes_from_its_heading_to_the_next_and_takes_no_other_exercise_along(given: str, left: str):
    shown = cells(*given.split("|"))
    kept = dropped.without(shown, ["a"])
    assert kept == [cell for cell, name in zip(shown, given.split("|"), strict=True) if cell in kept]
    names = {id(cell): name for cell, name in zip(shown, given.split("|"), strict=True)}
    assert "|".join(names[id(cell)] for cell in kept) == left


# seed


def test_a_folder_keeps_the_seed_of_its_first_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    drawn = kept_seed(tmp_path / "drawn")
    monkeypatch.setattr("autograder.batch.SEED", SEED)
    monkeypatch.setattr("autograder.cli.SEED", SEED)
    assert kept_seed(tmp_path / "drawn") == drawn
    assert kept_seed(tmp_path / "own") == SEED
    cli.tell_of_another_seed(tmp_path / "own")
    cli.tell_of_another_seed(tmp_path / "new")
    assert capsys.readouterr().err == ""
    cli.tell_of_another_seed(tmp_path / "drawn")
    assert f"delete {tmp_path / 'drawn' / STATE / 'seed'} to use SEED" in capsys.readouterr().err


def test_a_seed_in_a_release_is_a_leak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "README.md").write_text(f"Nothing here: 9{SEED}, {SEED}0.\nThe inputs are drawn from {SEED}.\n", encoding="utf-8")
    assert find_leaks(tmp_path, Layout()) == []
    monkeypatch.setattr("autograder.content.leaks.SEED", SEED)
    assert list(map(str, find_leaks(tmp_path, Layout()))) == ["README.md, line 2: the seed of the hidden inputs"]


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("SEED", 42, "SEED is 42; write None or a whole number from 100000"),
        ("SEED", "48104729", "SEED is '48104729'"),
        ("DEADLINE", "2027-03-01T23:59:00", "DEADLINE is '2027-03-01T23:59:00' (it has no offset); write None or a time with its offset"),
        ("DEADLINE", "1 March", "DEADLINE is '1 March'"),
        ("COURSE", (find("softmax"), find("softmax")), ""),
    ],
)
def test_what_cannot_be_used_is_told_with_the_way_out(monkeypatch: pytest.MonkeyPatch, name: str, value: object, told: str):
    monkeypatch.setattr(course, name, value)
    assert course.first_flaw().startswith(f"autograder/course.py: {told}" if told else "")
    assert bool(course.first_flaw()) == bool(told)


# deadline


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_is_late_is_noted_in_words_that_no_file_name_can_take(lang: str):
    with speaking(lang):
        assert late_note(DUE.timestamp(), DUE) == ""
        notes = [late_note((DUE + timedelta(seconds=by)).timestamp(), DUE) for by in (1, 3600 * 50)]
        assert all(notes)
        assert late_notes([*notes, f"{notes[0]} .py was left out.", "Late: handed in."]) == notes
    assert ("2 d 2 h after" in notes[1]) or "2 天 2 小时" in notes[1]


# error rows


def error_texts() -> Iterator[tuple[str, str]]:
    """What an `Unreadable` says, in both languages, with … for what differs; and what is said where the grader itself fails."""
    trees = [ast.parse(path.read_text("utf-8")) for path in sorted((ROOT / "autograder" / "submissions").glob("*.py"))]
    trees.append(ast.parse((ROOT / "autograder" / "crew.py").read_text("utf-8")))
    functions = {node.name: node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    said = [node for node in ast.walk(functions["fault"]) if isinstance(node, ast.Call) and ast.unparse(node.func) == "say"]
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Unreadable" and isinstance(node.args[0], ast.Call):
            by = node.args[0]
            if ast.unparse(by.func) == "say":
                said.append(by)
            else:
                returns = (step for step in ast.walk(functions[ast.unparse(by.func)]) if isinstance(step, ast.Return))
                said += [step.value for step in returns if isinstance(step.value, ast.Call)]
    for call in said:
        en, zh = (half.values if isinstance(half, ast.JoinedStr) else [half] for half in call.args[:2])
        yield tuple("".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in half) for half in (en, zh))


def test_the_page_lists_every_reason_of_an_error_row():
    written = list(error_texts())
    assert len(written) > 30
    for place, page in enumerate(PAGES.values()):
        listed = [line.removeprefix("- ") for line in page.read_text("utf-8").splitlines()]
        texts = {pair[place] for pair in written}
        assert texts - set(listed) == set()
        outdated = [line for line in listed if line.startswith(("The notebook ", "It holds ", "笔记本", "压缩包")) and line not in texts]
        assert outdated == []


def test_the_page_is_linked_from_both_readmes():
    assert "(docs/instructors.md)" in (ROOT / "README.md").read_text("utf-8")
    assert "(docs/instructors.zh-CN.md)" in (ROOT / "README.zh-CN.md").read_text("utf-8")
