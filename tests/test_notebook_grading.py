"""A notebook is graded as its modules would be: whose definition counts, what runs before it, and what does not matter."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from autograder.content.notebooks import solution_source
from autograder.course import COURSE
from autograder.grading.grader import Grader
from autograder.reports.model import Report
from autograder.submissions import Cell, Submission
from tests.conftest import ROOT, solutions, submission
from tests.test_grading import WRONG_AXIS

SEED = 5
STUB = "def {0}(*args, **kwargs):\n    '''Docstring.'''\n    # TODO 1\n    raise NotImplementedError('to do')"


def cell_of(exercise: str) -> Cell:
    """The solution cell of an exercise, as it stands in the source notebook."""
    return Cell(solution_source((ROOT / "solutions" / f"{exercise}.py").read_text("utf-8")), exercise)


def complete() -> list[Cell]:
    return [cell_of(exercise.id) for exercise in COURSE]


def replaced(cells: Sequence[Cell], exercise: str, *sources: str) -> list[Cell]:
    """The cells with one exercise's solution cell in other words; further sources become cells after it."""
    result = []
    for cell in cells:
        if cell.grade_id != exercise:
            result.append(cell)
        else:
            result += [Cell(sources[0], exercise), *map(Cell, sources[1:])]
    return result


def grade(grader: Grader, cells: Sequence[Cell], *exercises: str) -> Report:
    return grader.grade(Submission("ada", {}, tuple(cells)), SEED, exercises=exercises)


def lost(report: Report) -> list[str]:
    return [e.id for e in report.exercises if e.score != e.max_score]


def results(report: Report) -> list:
    return [(e.id, e.status, e.score, [(t.id, t.status, t.earned) for t in e.tests]) for e in report.exercises]


def test_a_notebook_gets_the_report_of_its_modules(grader: Grader) -> None:
    cells = replaced(complete(), "softmax", WRONG_AXIS)
    modules = submission({"softmax.py": WRONG_AXIS}, base=solutions())
    assert results(grade(grader, cells)) == results(grader.grade(modules, SEED))


def test_a_wrong_softmax_costs_softmax_alone(grader: Grader) -> None:
    cells = replaced(complete(), "softmax", WRONG_AXIS)
    assert lost(grade(grader, cells, "softmax", "attention", "masking", "multi_head")) == ["softmax"]


@pytest.mark.parametrize("broken", ["def softmax(:", "raise RuntimeError", "import os; os._exit(1)", "while True: pass", "x = 1"])
def test_a_broken_earlier_cell_costs_itself_alone(grader: Grader, broken: str) -> None:
    cells = replaced(complete(), "softmax", broken)
    report = grade(grader, cells, "softmax", "attention")
    assert lost(report) == ["softmax"]
    assert report.score == 10


@pytest.mark.parametrize(
    "demo", ["1 / 0", "raise SystemExit", "import nowhere", "def half(:", "print(softmax([1.0]))", "display(1); get_ipython().x()"]
)
def test_a_demo_cell_that_fails_does_not_matter(grader: Grader, demo: str) -> None:
    cells = [Cell(demo), cell_of("softmax"), Cell(demo), cell_of("attention")]
    assert lost(grade(grader, cells, "softmax", "attention")) == []


def test_helpers_of_earlier_cells_can_be_used(grader: Grader) -> None:
    cells = [Cell("import numpy as np\ndef shifted(x, axis):\n    return x - np.max(x, axis=axis, keepdims=True)")]
    cells += [
        Cell(
            "def softmax(x, axis=-1):\n    e = np.exp(shifted(np.asarray(x, float), axis))\n    return e / e.sum(axis, keepdims=True)",
            "softmax",
        )
    ]
    assert lost(grade(grader, cells, "softmax")) == []


def test_a_definition_in_another_cell_counts_where_the_solution_cell_holds_the_stub(grader: Grader) -> None:
    right = cell_of("softmax").source
    stub = Cell(STUB.format("softmax"), "softmax")
    for cells in ([stub, Cell(right)], [Cell(right), stub], [stub, Cell("x = 1"), Cell(right, "other")]):
        assert lost(grade(grader, cells, "softmax")) == []


def test_the_solution_cell_counts_where_it_is_written_whatever_stands_elsewhere(grader: Grader) -> None:
    assert lost(grade(grader, [Cell(WRONG_AXIS, "softmax"), Cell(cell_of("softmax").source)], "softmax")) == ["softmax"]
    assert lost(grade(grader, [cell_of("softmax"), Cell(WRONG_AXIS)], "softmax")) == []


def test_each_entry_point_is_found_where_it_is_written(grader: Grader) -> None:
    source = cell_of("masking").source
    start = source.index("def padding_mask")
    end = source.index("def masked_softmax")
    home = source[:start] + STUB.format("padding_mask") + "\n\n\n" + source[end:]
    assert lost(grade(grader, [Cell(home, "masking"), Cell(source[start:end])], "masking")) == []
    assert lost(grade(grader, [Cell("import numpy as np"), Cell(source[start:end]), Cell(home, "masking")], "masking")) == []


def test_cells_without_metadata_are_found_by_what_they_define(grader: Grader) -> None:
    cells = [Cell(cell.source) for cell in complete()]
    assert lost(grade(grader, cells, "softmax", "masking", "self_attention", "concepts")) == []


def test_an_import_from_the_exercises_is_no_definition(grader: Grader) -> None:
    """Where the metadata is lost a later cell would count, as if it had been written there."""
    cells = [Cell(cell_of("softmax").source), Cell(f"from exercises.softmax import softmax\n{cell_of('attention').source}")]
    assert lost(grade(grader, cells, "softmax", "attention")) == []


def test_the_kits_own_check_and_grade_cells_are_not_run(grader: Grader) -> None:
    locked = [
        Cell("def softmax(x, axis=-1):\n    return x", "check-softmax", locked=True),
        Cell("while True: pass", "grade-softmax", locked=True),
    ]
    assert lost(grade(grader, [cell_of("softmax"), *locked, cell_of("attention")], "softmax", "attention")) == []


def test_what_is_not_there_is_missing_and_a_stub_is_to_do(grader: Grader) -> None:
    report = grade(
        grader, [cell_of("softmax"), Cell(STUB.format("scaled_dot_product_attention"), "attention")], "softmax", "attention", "masking"
    )
    assert [e.status for e in report.exercises] == ["passed", "todo", "missing"]


def test_a_solution_cell_that_does_not_run_is_an_error(grader: Grader) -> None:
    (exercise,) = grade(grader, [Cell("def softmax(x:\n  return x", "softmax")], "softmax").exercises
    assert exercise.status == "error"
    assert "line 1" in exercise.tests[0].feedback


def test_a_cell_that_fails_after_its_definitions_counts(grader: Grader) -> None:
    assert lost(grade(grader, [Cell(cell_of("softmax").source + "\n1 / 0\n", "softmax")], "softmax")) == []
