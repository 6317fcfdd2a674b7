"""A notebook becomes code cells, whatever an editor, an LMS or a browser did to it; what is no notebook is refused in words."""

from __future__ import annotations

import json
import time

import pytest

from autograder.limits import DEFAULT, Limits
from autograder.submissions import Cell, Unreadable
from autograder.submissions.notebooks import read_notebook

from .handed_in import SOFTMAX, cell, notebook

STUB = 'def softmax(x, axis=-1):\n    # TODO 1: write it\n    raise NotImplementedError("to do")\n'
DONE = SOFTMAX.decode()


def read(data: bytes, limits: Limits = DEFAULT):
    return read_notebook(data, limits)


def sources(data: bytes) -> list[str]:
    return [c.source for c in read(data).cells]


def why(data: bytes, limits: Limits = DEFAULT) -> str:
    with pytest.raises(Unreadable) as caught:
        read(data, limits)
    return str(caught.value)


def test_code_cells_come_in_order_with_their_ids_and_locks():
    data = notebook(cell("# Title", kind="markdown"), cell("import numpy"), cell(DONE, "softmax"), cell("check()", "check-softmax", True))
    assert read(data).cells == (Cell("import numpy"), Cell(DONE, "softmax"), Cell("check()", "check-softmax", True))
    assert read(data).notes == ()


@pytest.mark.parametrize("encode", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_any_encoding_of_json_is_read(encode):
    text = notebook(cell("s = '注意力'")).decode()
    assert sources(text.encode(encode)) == ["s = '注意力'"]


def test_line_ends_of_windows_are_read():
    data = notebook(cell("a = 1\r\nb = 2\r\n")).replace(b", ", b",\r\n")
    assert sources(data) == ["a = 1\nb = 2\n"]


def test_a_source_may_be_a_list_of_lines():
    assert sources(notebook(cell(["a = 1\n", "b = 2"]), cell([1, "c = 3", None]))) == ["a = 1\nb = 2", "c = 3"]


@pytest.mark.parametrize("minor", [0, 4, 5])
def test_every_nbformat_4_is_read(minor):
    assert sources(json.dumps({"nbformat": 4, "nbformat_minor": minor, "cells": [cell("x = 1", id="a1")]}).encode()) == ["x = 1"]


def test_nbformat_3_is_read_through_its_worksheets():
    code = {"cell_type": "code", "input": [DONE], "language": "python", "outputs": [], "metadata": {"nbgrader": {"grade_id": "softmax"}}}
    sheets = [{"cells": [{"cell_type": "heading", "source": "x"}, code]}, {"cells": [{"cell_type": "code", "input": "x = 1"}]}, 7]
    assert read(json.dumps({"nbformat": 3, "worksheets": sheets}).encode()).cells == (Cell(DONE, "softmax"), Cell("x = 1"))


def test_nbformat_2_is_refused_with_the_way_out():
    assert "Jupyter" in why(json.dumps({"nbformat": 2, "worksheets": [{"cells": []}]}).encode())


def test_outputs_are_ignored_however_large():
    output = {"output_type": "stream", "name": "stdout", "text": "x\n" * 10_000_000}
    html = {"output_type": "display_data", "data": {"text/html": "<script>alert(1)</script>"}}
    data = notebook({**cell(DONE, "softmax"), "outputs": [output, html]})
    assert 32 << 20 > len(data) > 30_000_000
    assert sources(data) == [DONE]


@pytest.mark.parametrize(
    "metadata", [None, [], "x", {"nbgrader": None}, {"nbgrader": []}, {"nbgrader": {"grade_id": 7}}, {"nbgrader": {"grade_id": "x" * 999}}]
)
def test_metadata_of_wrong_types_is_as_none(metadata):
    assert read(notebook({**cell("x = 1"), "metadata": metadata})).cells == (Cell("x = 1"),)


def test_cells_without_metadata_or_text_are_read():
    got = read(notebook({"cell_type": "code"}, {"cell_type": "code", "source": 7}, 9, "text", cell("x = 1")))
    assert [c.source for c in got.cells] == ["", "", "x = 1"]
    assert got.notes


@pytest.mark.parametrize(
    ("nbgrader", "locked"),
    [
        ({"grade_id": "grade-softmax", "grade": True, "solution": False}, True),  # schema 0
        ({"grade_id": "grade-softmax", "grade": True, "solution": False, "locked": True, "schema_version": 1}, True),
        ({"grade_id": "grade-softmax", "grade": True, "solution": True}, False),
        ({"grade_id": "grade-softmax", "grade": False, "solution": True, "locked": False}, False),
        ({"grade_id": "grade-softmax", "locked": "yes"}, False),
    ],
)
def test_ids_and_locks_of_old_schemas_are_read(nbgrader, locked):
    assert read(notebook({**cell("x"), "metadata": {"nbgrader": nbgrader}})).cells == (Cell("x", "grade-softmax", locked),)


def test_a_notebook_without_cells_is_read_with_a_note():
    assert read(notebook()).cells == ()
    assert "no code cell" in read(notebook()).notes[0]


def test_a_solution_cell_turned_into_prose_is_named():
    got = read(notebook(cell(DONE, "softmax", kind="markdown"), cell(DONE, "softmax-extra", kind="raw")))
    assert got.cells == ()
    assert "softmax is no code cell" in got.notes[0]


def test_of_doubled_ids_the_last_written_one_counts():
    got = read(notebook(cell(STUB, "softmax"), cell(DONE, "softmax"), cell(DONE + "# again", "softmax"), cell(STUB, "softmax")))
    assert [c.grade_id for c in got.cells] == ["", "", "softmax", ""]
    assert "4 cells" in got.notes[0]


def test_of_doubled_stubs_the_first_one_counts():
    assert [c.grade_id for c in read(notebook(cell(STUB, "softmax"), cell(STUB, "softmax"))).cells] == ["softmax", ""]


def test_an_emptied_copy_does_not_win():
    assert [c.grade_id for c in read(notebook(cell(DONE, "softmax"), cell("", "softmax"))).cells] == ["softmax", ""]


def test_a_copy_with_more_written_wins():
    part = "def split_heads(X, n_heads):\n    return X\n\ndef concat_heads(H):\n    raise NotImplementedError\n"
    none = "def split_heads(X, n_heads):\n    raise NotImplementedError\n\ndef concat_heads(H):\n    raise NotImplementedError\n"
    assert [c.grade_id for c in read(notebook(cell(none, "multi_head"), cell(part, "multi_head"), cell(none, "multi_head"))).cells] == [
        "",
        "multi_head",
        "",
    ]


def test_a_doubled_locked_cell_keeps_its_first_id():
    got = read(notebook(cell("a", "check-softmax", True), cell("b", "check-softmax", True)))
    assert got.cells == (Cell("a", "check-softmax", True), Cell("b", "", True))


def test_magics_are_not_run_and_the_note_says_so():
    got = read(notebook(cell("%matplotlib inline\nx = 1\n!ls"), cell("%%bash\nls")))
    assert [c.source for c in got.cells] == ["pass\nx = 1\npass", "\n"]
    assert got.notes == ("3 magics, shell commands or top-level awaits in the notebook were not run.",)


def test_lone_surrogates_do_not_break_what_comes_after():
    (only,) = read(b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": "x = \\"\\ud800\\"", "metadata": {}}]}').cells
    only.source.encode("utf-8")


def test_bytes_that_are_not_utf8_are_replaced_with_a_note():
    got = read(notebook(cell("x = 1  # N")).replace(b"# N", b"# \xe9"))
    assert got.cells[0].source.startswith("x = 1")
    assert "UTF-8" in got.notes[0]


@pytest.mark.parametrize("data", [b"", b"  \n", b"\xef\xbb\xbf", b"\0\0\0\0"])
def test_an_empty_file_is_refused(data):
    assert "empty" in why(data)


def test_a_login_page_is_refused():
    assert "web page" in why(b"\n<!DOCTYPE html><html><body>Log in</body></html>")


def test_a_zip_under_a_notebooks_name_is_refused():
    assert "zip" in why(b"PK\x03\x04\0\0")


def test_json_that_is_cut_short_is_refused():
    whole = notebook(cell("x = 'some text that is long enough'"))
    for length in (1, 10, len(whole) // 2, len(whole) - 1):
        assert "cut short" in why(whole[:length])


def test_json_that_is_damaged_is_refused_with_the_line():
    broken = b'{"nbformat": 4,\n<<<<<<< HEAD\n"cells": []}'
    assert "line 2" in why(broken)


@pytest.mark.parametrize("data", [b"[]", b"7", b'"x"', b"{}", b'{"cells": {}}', b'{"nbformat": 4, "cells": null}', b'{"worksheets": 3}'])
def test_json_that_is_no_notebook_is_refused(data):
    assert "no notebook" in why(data)


@pytest.mark.parametrize("data", [b"[" * 1_000_000, b'{"a":' * 500_000, b'{"nbformat": 4, "cells": ' + b"[" * 5000 + b"]" * 5000 + b"}"])
def test_deep_nesting_is_refused(data):
    assert why(data)


def test_a_number_too_long_for_python_is_refused():
    assert "ValueError" in why(b'{"nbformat": 4, "cells": [], "x": ' + b"9" * 10_000 + b"}")


def test_more_than_the_allowed_bytes_are_refused():
    assert "1 MiB" in why(notebook(cell("x" * 1_100_000)), Limits(notebook_bytes=1 << 20))


@pytest.mark.parametrize("piece", [b"[],", b"0,", b'"",', b"{},"])
def test_millions_of_tiny_values_are_refused_before_they_fill_the_memory(piece):
    start = time.perf_counter()
    assert "millions" in why(b'{"nbformat": 4, "cells": [' + piece * 5_000_000 + b"0]}")
    assert time.perf_counter() - start < 20


def test_more_cells_than_anybody_types_are_refused():
    assert "5000 cells" in why(notebook(*[cell("") for _ in range(5001)]))


def test_a_flood_of_code_is_left_as_it_is():
    start = time.perf_counter()
    flood = "a?\n" * 5_000_000
    assert sources(notebook(cell("%time x"), cell(flood))) == ["pass", flood]
    assert time.perf_counter() - start < 10


def test_commas_within_text_are_not_counted_as_values():
    output = {"output_type": "stream", "text": '1,2,3,[4],{5}\\"\n' * 1_200_000}
    assert sources(notebook({**cell("x = 1"), "outputs": [output]})) == ["x = 1"]


def test_unterminated_text_full_of_escapes_takes_no_time():
    start = time.perf_counter()
    why(b"[0" + b",0" * 4_100_000 + b', "' + b'\\"' * 5_000_000)
    assert time.perf_counter() - start < 20
