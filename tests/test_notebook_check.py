"""The cells of the notebook that the kit provides: checks say in words what holds, nbgrader's Validate agrees, points are points."""

from __future__ import annotations

import logging
import os
import re
import shutil
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient

from autograder.content.layout import Layout
from autograder.content.release import release
from autograder.kernel import NoNotebook, clipped, in_words, labelled, score, wrapped
from autograder.reports.model import ExerciseReport, TestResult
from exercises.tests.language import speaking
from exercises.tests.notebook import NotRightYet, check
from solutions.softmax import softmax


def wrong_axis(x, axis=-1):
    print("I am here")
    return softmax(x, axis=0)


def not_written(x, axis=-1):
    raise NotImplementedError


def told(names: dict[str, Any], exercise: str = "softmax") -> str:
    with pytest.raises(NotRightYet) as caught:
        check(exercise, names)
    return "\n".join(caught.value._render_traceback_())


def test_a_right_answer_is_told_check_by_check(capsys: pytest.CaptureFixture[str]):
    check("softmax", {"softmax": softmax})
    output = capsys.readouterr().out
    assert re.match(r"A softmax that never overflows: (\d) of \1 right\n  right: each row adds up to one\n", output)


def test_a_wrong_answer_is_told_in_words_and_without_traceback(capsys: pytest.CaptureFixture[str]):
    message = told({"softmax": wrong_axis})
    assert message.startswith(
        "Wrong: each row adds up to one\n"
        "    Called softmax(x (2, 3)).\n"
        "    The result is [[0.5 , 0.6667, 0.1429], [0.5 , 0.3333, 0.8571]].\n"
        "    Each row is exp(x) divided by that row's own sum of exp(x).\n"
    )
    assert message.endswith("Change the cell above, run it, then run this one again.")
    output = capsys.readouterr().out
    assert "  right: axis 0 makes each column add up to one\n" in output
    assert "I am here" not in output


def test_a_stub_is_told_to_do_by_the_name_of_the_function():
    assert told({"softmax": not_written}) == "To do: not_written\nChange the cell above, run it, then run this one again."


def test_a_cell_that_was_not_run_is_told():
    assert "The notebook has no `softmax`.\n    Keep the name that the stub had, and run its cell first." in told({})


def test_each_call_sees_the_definition_of_its_time():
    assert told({"softmax": wrong_axis}).startswith("Wrong")
    check("softmax", {"softmax": softmax})
    assert told({"softmax": not_written}).startswith("To do")


def test_outside_a_notebook_the_callers_names_are_taken():
    check("softmax")  # this module's own import of it


@pytest.mark.parametrize(("around", "lang"), [("zh", None), ("en", "zh")])
def test_the_words_are_chinese_where_asked_for(around: str, lang: str | None, capsys: pytest.CaptureFixture[str]):
    with speaking(around), pytest.raises(NotRightYet, match="请修改上面的单元格") as caught:
        check("softmax", {"softmax": wrong_axis}, lang=lang)
    assert "有误：每一行加起来等于 1\n    调用了 softmax(x (2, 3))。" in str(caught.value)
    assert "  正确：axis=0 时每一列加起来等于 1\n" in capsys.readouterr().out


def test_an_exercise_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="no exercise 'softmaxx'; there are: softmax, "):
        check("softmaxx")


def test_plugins_and_options_of_the_environment_stay_out_of_a_check(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PYTEST_ADDOPTS", "--no-such-option")
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", raising=False)
    check("softmax", {"softmax": softmax})
    assert os.environ["PYTEST_ADDOPTS"] == "--no-such-option"
    assert "PYTEST_DISABLE_PLUGIN_AUTOLOAD" not in os.environ


def test_a_check_is_quick():
    check("softmax", {"softmax": softmax})
    start = time.perf_counter()
    check("softmax", {"softmax": softmax})
    assert time.perf_counter() - start < 1.0


# In a real kernel.


def grade_id(cell: nbformat.NotebookNode) -> str:
    return cell.metadata.get("nbgrader", {}).get("grade_id", "")


def run(nb: nbformat.NotebookNode, folder: Path, *, allow_errors: bool = False) -> dict[str, list[Any]]:
    """The outputs by cell id."""
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(nb, timeout=60, kernel_name="python3", allow_errors=allow_errors, resources=resources).execute()
    return {cell.id: cell.outputs for cell in nb.cells if cell.cell_type == "code"}


def test_validate_reports_a_wrong_answer_and_a_stub_and_no_right_answer(tmp_path: Path):
    from nbgrader.validator import Validator

    folder = next(r.folder for r in release(tmp_path) if r.assignment == "attention")
    nb = nbformat.read(folder / "attention.ipynb", as_version=4)
    wanted = ["softmax", "check-softmax", "grade-softmax", "attention", "check-attention", "masking", "check-masking"]
    nb.cells = [cell for cell in nb.cells if grade_id(cell) in wanted]
    cells = {grade_id(cell): cell for cell in nb.cells}
    source = nbformat.read(Layout().source / "attention" / "attention.ipynb", as_version=4)
    right = {grade_id(cell): cell.source for cell in source.cells}
    cells["softmax"].source = right["softmax"]
    cells["attention"].source = right["attention"].replace(" / np.sqrt(d_k)", "")
    nbformat.write(nb, folder / "attention.ipynb")

    failed = Validator().validate(str(folder / "attention.ipynb"))["failed"]

    assert [cell["source"].splitlines()[-1] for cell in failed] == ['check("attention")', 'check("masking")']
    called = "    Called scaled_dot_product_attention(Q (1, 3), K (3, 3), V (3, 2))."
    assert failed[0]["raw_error"].startswith(f"Wrong: the example of the lesson\n{called}\n")
    assert failed[1]["raw_error"].startswith("To do: causal_mask, padding_mask, masked_softmax, masked_attention\n")


def test_in_a_kernel_an_error_shows_the_cell_it_comes_from(tmp_path: Path):
    layout = Layout()
    shutil.copytree(layout.exercises, tmp_path / "exercises", ignore=shutil.ignore_patterns("__pycache__"))
    nb = nbformat.v4.new_notebook()
    for i, source in enumerate(
        [
            "def softmax(x, axis=-1):\n    return y + 1",
            'from exercises.tests.notebook import check\ncheck("softmax")',
            "from autograder.kernel import cells_run_so_far\nprint([c.grade_id for c in cells_run_so_far()])",
        ]
    ):
        nb.cells.append(nbformat.v4.new_code_cell(source, id=f"cell-{i}"))
    nb.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    outputs = run(nb, tmp_path, allow_errors=True)
    (error,) = (output for output in outputs["cell-1"] if output.output_type == "error")
    message = "\n".join(error.traceback)
    assert "It raised NameError: name 'y' is not defined (Cell In[1], line 2: return y + 1)." in message
    assert "Traceback" not in message
    assert ".py" not in message


# Points inside a notebook.


def test_cells_are_labelled_by_what_they_define_and_the_last_one_counts():
    sources = ["def softmax(x): ...", "%matplotlib inline", "%time 1\nsoftmax = lambda x: x", "x = (", "class SelfAttention: ..."]
    cells = labelled(sources)
    assert [cell.grade_id for cell in cells] == ["", "", "softmax", "", "self_attention"]
    assert cells[2].source == "pass\nsoftmax = lambda x: x"


def test_nothing_reaches_stderr_while_points_are_given(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]):
    def noisy(*_: object) -> ExerciseReport:
        print("printed", file=sys.stderr)
        os.write(2, b"written\n")
        warnings.warn("warned", stacklevel=1)
        logging.getLogger("noisy").error("logged")
        np.array([1.0]) / np.array([0.0])
        return report("Text.")

    monkeypatch.setattr("autograder.kernel.cells_run_so_far", tuple)
    monkeypatch.setattr("autograder.kernel.grade_cells", noisy)
    told = logging.StreamHandler(sys.stderr)  # as a notebook's basicConfig makes one: it keeps the stream of its time
    logging.getLogger("noisy").addHandler(told)
    try:
        with warnings.catch_warnings(), np.errstate(all="raise"):
            warnings.simplefilter("error")
            assert score("softmax") == 0.0
            with pytest.raises(FloatingPointError):
                np.array([1.0]) / np.array([0.0])
        assert capfd.readouterr() == ("A softmax: 0 / 1\n  0 / 1  Title 0\n      Text.\n", "")
        logging.getLogger("noisy").error("again")
        os.write(2, b"and again\n")
        assert capfd.readouterr().err == "again\nand again\n"
    finally:
        logging.getLogger("noisy").removeHandler(told)


def test_a_score_is_one_that_nbgrader_takes():
    assert [clipped(score, 6) for score in (6.000000000000001, 5.999999, -0.0, 0)] == [6.0, 5.999999, 0.0, 0.0]


def test_long_lines_are_broken_at_blanks_and_chinese_ones_anywhere():
    assert wrapped("one two three four", 10) == ["one two", "three four"]
    assert wrapped("x" * 25, 10) == ["x" * 10, "x" * 10, "x" * 5]
    assert wrapped("中文没有空格所以随处断开", 10) == ["中文没有空", "格所以随处", "断开"]
    assert wrapped("short", 10) == ["short"] and wrapped("", 10) == [""]


def report(*feedback: str) -> ExerciseReport:
    tests = tuple(TestResult(f"t{i}", f"Title {i}", "failed", 1.0, 0.0, "for instructors", text) for i, text in enumerate(feedback))
    return ExerciseReport("softmax", "A softmax", "failed", 0.0, float(len(feedback)), False, tests)


def test_a_report_says_what_all_tests_say_alike_once_and_escapes_the_rest():
    assert in_words(report("To write.", "To write.")) == "A softmax: 0 / 2\n  To write.\n  0 / 1  Title 0\n  0 / 1  Title 1"
    assert in_words(report("One.", "Two \x1b[31m.\nHint: think.")) == (
        "A softmax: 0 / 2\n  0 / 1  Title 0\n      One.\n  0 / 1  Title 1\n      Two \\x1b[31m.\n      Hint: think."
    )


def test_points_outside_a_notebook_are_refused_with_the_way_out():
    with pytest.raises(NoNotebook, match="autograder grade"):
        score("softmax")
    with pytest.raises(KeyError, match="there are: softmax"):
        score("softmaxx")
