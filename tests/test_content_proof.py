"""The proof of the content: a solution that loses points and a stub that wins any are found by running them."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.content.layout import Layout
from autograder.content.proof import prove
from autograder.content.stubs import STUB_LINE
from autograder.course import find
from autograder.jail import JailUnavailable
from tests.conftest import jail_or_skip
from tests.course_copy import copy_course, edit


@pytest.fixture
def course(tmp_path: Path) -> Layout:
    return copy_course(tmp_path)


def told(layout: Layout) -> list[str]:
    return [str(fault) for fault in prove(layout).faults]


def test_what_loses_points_and_what_wins_points_is_told(course: Layout):
    """One solution without its scale, and one stub that is written already."""
    jail_or_skip("auto")
    edit(course.solution(find("attention")), " / np.sqrt(d_k)", "")
    edit(course.stub(find("softmax")), f"    {STUB_LINE}", "    e = np.exp(x)\n    return e / e.sum(axis=axis, keepdims=True)")
    problems = told(course)
    lost = [problem for problem in problems if problem.startswith("solutions/attention.py: it loses ")]
    won = [problem for problem in problems if problem.startswith("exercises/softmax.py: the stub passes ")]
    seen = [problem for problem in problems if problem.startswith("exercises/tests/test_attention.py: the solution does not pass ")]
    given = [problem for problem in problems if problem.startswith("exercises/tests/test_softmax.py: with the stub ")]
    assert lost and won and seen and given
    # What else is told are visible tests of later exercises: those run on the student's own earlier ones.
    assert all(problem.startswith("exercises/tests/") for problem in set(problems) - {*lost, *won})
    assert "Called scaled_dot_product_attention(" in lost[0]
    assert "test_scores_are_divided_by_the_root_of_d_k" in "".join(seen)


def test_without_a_jail_nothing_is_graded_and_it_is_said(course: Layout, monkeypatch: pytest.MonkeyPatch):
    def none_works(kind: str) -> str:
        raise JailUnavailable("no namespaces here")

    monkeypatch.setattr("autograder.jail.choose", none_works)
    edit(course.solution(find("softmax")), "exps / exps.sum", "exps * exps.sum")
    proof = prove(course)
    assert proof.notes == ("solutions and stubs were not graded, because no jail works here: no namespaces here",)
    files = {fault.file for fault in proof.faults}
    assert "exercises/tests/test_softmax.py" in files, "the visible tests need no jail"
    assert not [file for file in files if not file.startswith("exercises/tests/")]


def test_a_visible_test_that_a_stub_passes_is_told(course: Layout, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("autograder.content.proof._hidden_faults", lambda layout: ([], ()))
    path = course.visible_test(find("softmax"))
    path.write_text(path.read_text(encoding="utf-8") + "\n\ndef test_nothing(student):\n    pass\n", encoding="utf-8")
    assert told(course) == [
        "exercises/tests/test_softmax.py: with the stub test_nothing is not to do: passed; let the test call what the stub lacks"
    ]


def test_tests_that_do_not_run_are_told(course: Layout, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("autograder.content.proof._hidden_faults", lambda layout: ([], ()))
    edit(course.visible_test(find("softmax")), "import numpy as np", "import numpy as np\nimport no_such_module")
    assert any(fault.startswith("exercises/tests/test_softmax.py: none of its tests ran") for fault in told(course))
