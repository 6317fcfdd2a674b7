"""The notebook: its check cells say in words what holds, nbgrader's Validate agrees, and the lesson runs in a real kernel."""

from __future__ import annotations

import os
import re
import shutil
import time
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient

from autograder.content.layout import Layout
from autograder.content.release import release
from autograder.course import COURSE
from autograder.kernel import NoNotebook, labelled, score
from exercises.tests.language import speaking
from exercises.tests.notebook import NotRightYet, check
from solutions.softmax import softmax
from tests.conftest import jail_or_skip


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


def test_the_words_are_chinese_where_asked_for():
    with speaking("zh"), pytest.raises(NotRightYet, match="请修改上面的单元格") as caught:
        check("softmax", {"softmax": wrong_axis})
    assert "调用了 softmax(x (2, 3))。" in str(caught.value)


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


@pytest.fixture(scope="module")
def executed() -> dict[str, list[Any]]:
    """The outputs of the whole lesson with the solutions."""
    layout = Layout()
    jail_or_skip("auto")  # the hidden parts grade
    return run(nbformat.read(layout.source / "attention" / "attention.ipynb", as_version=4), layout.root)


def printed(outputs: list[Any]) -> str:
    return "".join(output.text for output in outputs if output.output_type == "stream" and output.name == "stdout")


def test_the_lesson_runs_from_top_to_bottom_with_the_solutions(executed: dict[str, list[Any]]):
    for exercise in COURSE:
        assert re.search(r": (\d+) of \1 right\n", printed(executed[f"check-{exercise.id}"]))
    noise = [id for id, outputs in executed.items() if any(o.output_type == "error" or o.get("name") == "stderr" for o in outputs)]
    assert noise == []


def test_the_points_cells_give_every_point(executed: dict[str, list[Any]]):
    for exercise in COURSE:
        (result,) = (output for output in executed[f"grade-{exercise.id}"] if output.output_type == "execute_result")
        assert float(result.data["text/plain"]) == exercise.points
        assert printed(executed[f"grade-{exercise.id}"]).startswith(f"{exercise.title.en}: {exercise.points:g} / {exercise.points:g}\n")


def test_the_numbers_in_the_prose_are_those_that_the_code_prints(executed: dict[str, list[Any]]):
    layout = Layout()
    nb = nbformat.read(layout.source / "attention" / "attention.ipynb", as_version=4)
    prose = {cell.id: cell.source for cell in nb.cells if cell.cell_type == "markdown"}
    weights = softmax([2.1, 0.3, 0.1, 0.8, 0.2])
    assert "[0.58  0.096 0.079 0.158 0.087]" in printed(executed["softmax-example"])
    assert "**0.580** | **0.096** | **0.079** | **0.158** | **0.087**" in prose["softmax-lesson"]
    np.testing.assert_allclose(weights, [0.580, 0.096, 0.079, 0.158, 0.087], atol=5e-4)
    np.testing.assert_allclose(softmax(np.array([1, 0, 0.5]) / np.sqrt(3)), [0.433, 0.243, 0.324], atol=5e-4)
    assert all(f"**{weight}**" in prose["attention-lesson"] for weight in ("0.433", "0.243", "0.324"))
    assert "block first    [0.269 0.731 0.   ]\nblock too late [0.09  0.245 0.   ]" in printed(executed["masking-example"])
    assert "[[0.155 0.422 0.422]\n [0.333 0.333 0.333]\n [0.155 0.422 0.422]]" in printed(executed["self-attention-example"])
    assert "JS = 0.347" in printed(executed["patterns-example"])
    assert "divergence, causal  [0.    0.    0.    " in printed(executed["patterns-try"])


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


def test_points_outside_a_notebook_are_refused_with_the_way_out():
    with pytest.raises(NoNotebook, match="autograder grade"):
        score("softmax")
    with pytest.raises(KeyError, match="there are: softmax"):
        score("softmaxx")
