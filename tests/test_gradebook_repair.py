"""A student's notebook as nbgrader gets it: every cell of the release once, nothing of the student's metadata, outputs that are safe."""

from __future__ import annotations

import base64
import json
from typing import Any

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.content.deliverable import HAND_IN
from autograder.content.notebooks import grade_id_of
from autograder.gradebook.expected import Expected, KnownCell, without_hidden
from autograder.gradebook.handed_in import HandedIn
from autograder.gradebook.outputs import Allowance, safe_outputs
from autograder.gradebook.repair import NOTED, Rebuilt, rebuild
from autograder.limits import DEFAULT, Limits
from autograder.submissions import Submission, Unreadable
from autograder.submissions.layout import arrange
from autograder.submissions.notebooks import read_notebook

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(30)).decode()
STUB = "def {}(*args):\n    raise NotImplementedError"
HIDDEN = '# {}\n### BEGIN HIDDEN TESTS\nfrom autograder.kernel import score\n\nscore("{}"{})\n### END HIDDEN TESTS'
PROMPT = "### Your prompt\n\n#### Role\n\n…\n\n#### Task\n\n…"


def known(id: str, source: str, *, kind: str = "code", locked: bool = False, grade: bool = False, points: float = 0.0) -> KnownCell:
    return KnownCell(id, kind, source, locked, grade, solution=not locked, task=False, points=points)


def course(lang: str = "") -> Expected:
    cells = []
    for id, name, points in (("softmax", "softmax", 6), ("attention", "scaled_dot_product_attention", 10)):
        cells += [known(id, STUB.format(name)), known(f"check-{id}", f'check("{id}")', locked=True, grade=True)]
        cells += [known(f"grade-{id}", HIDDEN.format("Points are given here.", id, lang), locked=True, grade=True, points=points)]
    cells.append(known("prompt", PROMPT, kind="markdown", grade=True, points=10))
    return Expected({cell.id: cell for cell in cells})


COURSE = course()


def raw(source: Any, grade_id: str = "", kind: str = "code", **more: Any) -> dict[str, Any]:
    metadata = {"nbgrader": {"grade_id": grade_id, "points": 1000, "schema_version": 1}} if grade_id else {}
    return {"cell_type": kind, "source": source, "metadata": metadata, **more}


def released() -> list[dict[str, Any]]:
    return [raw(cell.released, cell.id, cell.kind) for cell in COURSE.cells.values()]


def hand_in(cells: list[dict[str, Any]], files: dict[str, bytes] | None = None, **more: Any) -> HandedIn:
    data = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells, **more}).encode()
    read = read_notebook(data, DEFAULT)
    submission = Submission("ada", {}, read.cells, read.notes)
    return HandedIn(submission, tuple(cells), tuple(cell.grade_id for cell in read.cells), read.notes, files or {})


def made(cells: list[dict[str, Any]], files: dict[str, bytes] | None = None, limits: Limits = DEFAULT) -> Rebuilt:
    rebuilt = rebuild(hand_in(cells, files), COURSE, limits)
    nbformat.validate(rebuilt.notebook)
    ids = ids_of(rebuilt)
    assert len(ids) == len(set(ids))
    assert {id for id, cell in COURSE.cells.items() if cell.locked or cell.grade} <= set(ids)
    return rebuilt


def ids_of(rebuilt: Rebuilt) -> list[str]:
    return [id for cell in rebuilt.notebook.cells if (id := grade_id_of(cell))]


def by_id(rebuilt: Rebuilt) -> dict[str, Any]:
    return {grade_id_of(cell): cell for cell in rebuilt.notebook.cells}


def replaced(grade_id: str, *cells: dict[str, Any]) -> list[dict[str, Any]]:
    """The release with one cell replaced by others."""
    result = []
    for cell in released():
        result += cells if grade_id_of_raw(cell) == grade_id else (cell,)
    return result


def grade_id_of_raw(cell: dict[str, Any]) -> str:
    return cell["metadata"].get("nbgrader", {}).get("grade_id", "")


def test_an_untouched_notebook_comes_through_with_the_metadata_of_the_release_and_without_a_note():
    rebuilt = made(released())
    assert rebuilt.notes == ()
    assert ids_of(rebuilt) == list(COURSE.cells)
    cells = by_id(rebuilt)
    assert cells["grade-softmax"].metadata == {
        "nbgrader": {
            "grade_id": "grade-softmax",
            "grade": True,
            "solution": False,
            "locked": True,
            "task": False,
            "points": 6,
            "schema_version": 3,
            "cell_type": "code",
        }
    }
    assert cells["grade-softmax"].source == COURSE.cells["grade-softmax"].source
    assert cells["prompt"].source == PROMPT


def test_what_is_missing_is_put_back_behind_what_comes_before_it():
    kept = [cell for cell in released() if grade_id_of_raw(cell) in ("softmax", "attention", "grade-attention")]
    rebuilt = made([*kept, raw("print(1)")])
    assert ids_of(rebuilt) == ["softmax", "check-softmax", "grade-softmax", "attention", "check-attention", "grade-attention", "prompt"]
    assert rebuilt.notes == ("Missing cells were put back: check-softmax, grade-softmax, check-attention, prompt.",)
    assert rebuilt.notebook.cells[0].id == NOTED
    assert "answer may stand in another" in by_id(rebuilt)["prompt"].source


def test_everything_can_be_missing():
    assert ids_of(made([])) == [id for id in COURSE.order if id not in ("softmax", "attention")]


def test_of_several_cells_that_define_a_function_the_last_written_one_is_its_cell():
    right = "def softmax(x):\n    return x"
    cells = replaced("softmax", raw(right), raw("x = 1"), raw(right + " + 1"), raw(STUB.format("softmax")))
    rebuilt = made(cells)
    assert by_id(rebuilt)["softmax"].source == right + " + 1"
    assert rebuilt.notes == ("Cells that had lost nbgrader's metadata were recognised by what stands in them: softmax.",)


def test_cells_with_the_same_text_are_told_apart_by_their_order():
    cells = [{**cell, "metadata": {}} for cell in released()]
    rebuilt = made(cells)
    assert ids_of(rebuilt) == list(COURSE.cells)
    assert len(rebuilt.notebook.cells) == len(cells) + 1


def test_a_written_answer_is_known_by_its_headings():
    answer = PROMPT.replace("…", "An answer.")
    assert by_id(made(replaced("prompt", raw(answer, kind="markdown"))))["prompt"].source == answer
    elsewhere = made(replaced("prompt", raw("### Your prompt\n\nwithout the rest", kind="markdown")))
    assert "was missing from what was handed in" in by_id(elsewhere)["prompt"].source


def test_of_two_prompts_the_written_one_counts():
    answer = PROMPT.replace("…", "An answer.")
    for cells in (
        [raw(PROMPT, "prompt", "markdown"), raw(answer, "prompt", "markdown")],
        [raw(answer, "prompt", "markdown"), raw(PROMPT, "prompt", "markdown")],
    ):
        assert by_id(made(replaced("prompt", *cells)))["prompt"].source == answer


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_an_answer_in_the_file_is_shown_where_the_cell_is_empty(encoding: str):
    answer = "# Prompt\r\n\r\nYou are a librarian. 你是图书管理员。\r\n"
    rebuilt = made(released(), {HAND_IN: answer.encode(encoding)})
    assert "You are a librarian. 你是图书管理员。" in by_id(rebuilt)["prompt"].source
    assert rebuilt.notes == (f"The answer to prompt was taken from {HAND_IN}.",)


def test_an_answer_in_the_cell_or_an_empty_file_leaves_the_cell_alone():
    template = b"# Prompt\n\n## Role\n\n\xe2\x80\xa6\n"
    assert by_id(made(released(), {HAND_IN: template}))["prompt"].source == PROMPT
    answer = PROMPT.replace("…", "In the cell.")
    cells = replaced("prompt", raw(answer, "prompt", "markdown"))
    assert by_id(made(cells, {HAND_IN: b"In the file."}))["prompt"].source == answer


def test_a_locked_cell_that_was_changed_is_restored_and_told():
    rebuilt = made(
        replaced("check-softmax", raw('print("6 of 6 right")', "check-softmax", outputs=[{"output_type": "stream", "text": "6"}]))
    )
    assert by_id(rebuilt)["check-softmax"].source == 'check("softmax")'
    assert by_id(rebuilt)["check-softmax"].outputs == []
    assert rebuilt.notes == ("Locked cells had been changed and were restored: check-softmax.",)


def test_blanks_at_the_ends_of_lines_are_no_change():
    assert made(replaced("check-softmax", raw('check("softmax")  \r\n\n', "check-softmax"))).notes == ()


def test_a_cell_of_another_kind_is_not_taken_for_code_that_was_graded():
    rebuilt = made(replaced("softmax", raw("def softmax(x):\n    return x", "softmax", "markdown")))
    assert "softmax" not in ids_of(rebuilt)
    assert any("no code cell any more" in note for note in rebuilt.notes)


# Outputs.


def outputs(*raw_outputs: Any, limits: Limits = DEFAULT) -> list[dict[str, Any]]:
    return [dict(output) for output in safe_outputs(list(raw_outputs), Allowance.of(limits))]


def test_text_and_pictures_are_kept():
    shown = outputs(
        {"output_type": "stream", "name": "stderr", "text": ["one\n", "two"]},
        {"output_type": "execute_result", "data": {"text/plain": ["array(", "[1])"]}, "execution_count": 3, "metadata": {}},
        {"output_type": "display_data", "data": {"image/png": [PNG[:20] + "\n", PNG[20:]], "text/plain": "<Figure>"}},
        {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["\x1b[31mE\x1b[0m", "v"]},
    )
    assert shown[0] == {"output_type": "stream", "name": "stderr", "text": "one\ntwo"}
    assert shown[1]["output_type"] == "display_data" and shown[1]["data"] == {"text/plain": "array([1])"}
    assert shown[2]["data"] == {"image/png": PNG}
    assert shown[3]["traceback"] == ["E", "v"]


def test_a_progress_bar_shows_its_end():
    assert outputs({"output_type": "stream", "text": "10%\r50%\r100%\r\ndone"})[0]["text"] == "100%\ndone"


@pytest.mark.parametrize("value", ['"><script>', PNG + '"', base64.b64encode(b"<svg>").decode(), 5, None, ["a", 5], {}])
def test_what_is_no_picture_is_none(value: Any):
    shown = outputs({"output_type": "display_data", "data": {"image/png": value}})
    assert [output["data"] for output in shown] == [{"text/plain": "(not shown: image/png)"}]


def test_much_text_is_cut_and_many_pictures_are_left_out():
    limits = Limits(shown_text=100, shown_pictures=60)
    shown = outputs(*[{"output_type": "stream", "text": "x" * 80}] * 50, limits=limits)
    assert len(shown) == 2 and shown[1]["text"] == "x" * 20 + "… (the rest is not shown)"
    shown = outputs(*[{"output_type": "display_data", "data": {"image/png": PNG, "text/plain": "a figure"}}] * 3, limits=limits)
    assert [list(output["data"]) for output in shown] == [["image/png"], ["text/plain"], ["text/plain"]]


def test_long_cells_are_cut_and_long_prose_is_shown_as_it_is():
    limits = Limits(shown_source=3000, rendered_cell=1000)
    rebuilt = made([*released(), raw("*x*" * 400, kind="markdown"), raw("y" * 5000)], limits=limits)
    prose, code = rebuilt.notebook.cells[-2:]
    assert prose.source.startswith("~~~\n*x*")
    assert code.source.endswith("y… (the rest is not shown)") and len(code.source) < 3000


# Anything at all.

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["\ud800", "attachment:a", "<b>", PNG]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8) | st.just("image/png"), inner, max_size=3),
    max_leaves=8,
)
cell_like = st.fixed_dictionaries(
    {},
    optional={
        "cell_type": st.sampled_from(["code", "markdown", "raw", "heading"]) | anything,
        "source": st.sampled_from(["def softmax(x): ...", PROMPT, "![x](attachment:a)", "<i>"]) | anything,
        "metadata": st.fixed_dictionaries(
            {}, optional={"nbgrader": st.fixed_dictionaries({"grade_id": st.sampled_from([*COURSE.cells, "x"]) | anything}) | anything}
        )
        | anything,
        "outputs": st.lists(
            st.fixed_dictionaries(
                {"output_type": st.sampled_from(["stream", "error", "display_data", "execute_result", "pyout"]) | anything},
                optional={"text": anything, "data": anything, "traceback": anything, "name": anything},
            ),
            max_size=2,
        )
        | anything,
        "attachments": st.dictionaries(st.text(max_size=4), anything, max_size=2) | anything,
    },
)


@settings(max_examples=150, deadline=None)
@given(st.lists(cell_like, max_size=4))
def test_whatever_stands_in_a_notebook_something_valid_comes_out(cells: list[dict[str, Any]]):
    data = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()
    try:
        submission = arrange("ada", {"attention.ipynb": data}, [], DEFAULT)
    except Unreadable:
        return
    read = read_notebook(data, DEFAULT)
    plain = json.loads(data)["cells"]
    handed_in = HandedIn(submission, tuple(plain), tuple(cell.grade_id for cell in read.cells), submission.notes, {})
    rebuilt = rebuild(handed_in, COURSE, DEFAULT)
    nbformat.validate(rebuilt.notebook)
    nbformat.writes(rebuilt.notebook).encode("utf-8")
    assert len(ids_of(rebuilt)) == len(set(ids_of(rebuilt)))


# What the gradebook knows.


def test_the_language_is_the_one_that_the_grade_cells_speak():
    assert COURSE.language is None
    assert course(', lang="zh"').language == "zh"


def test_only_notebooks_with_points_for_the_kits_exercises_are_the_kits():
    assert COURSE.exercises == ("softmax", "attention")
    assert not Expected({"grade-other": known("grade-other", "assert True", locked=True, grade=True, points=3)}).is_the_kits
    assert not Expected({}).is_the_kits


def test_hidden_tests_are_cut_as_in_the_release():
    assert without_hidden(COURSE.cells["grade-softmax"].source) == "# Points are given here."
    assert without_hidden("a\n### BEGIN HIDDEN TESTS\nb\n### END HIDDEN TESTS\nc") == "a\nc"
    assert without_hidden("a\n### BEGIN HIDDEN TESTS\nb") == "a"
