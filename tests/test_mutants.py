"""A sample of the solutions' mutants loses points, or stands in the list of equivalent ones; `make mutants` tries them all."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.course import COURSE
from autograder.grading.grader import Grader
from tests.conftest import jail_or_skip

sys.path.append(str(Path(__file__).resolve().parents[1] / "tools"))  # scripts, no package

from mutants import LIMITS, SEED, equivalents, survives
from mutation import SOLUTIONS, mutants_of, regions_of

EACH = 4  # mutants of every exercise, from all parts of its solution


@pytest.fixture(scope="module")
def hasty_grader() -> Iterator[Grader]:
    """A grader that does not wait long for mutants that never answer."""
    with Grader(jail_or_skip("auto"), LIMITS) as grader:
        yield grader


@pytest.mark.parametrize("exercise", [e.id for e in COURSE])
def test_a_sample_of_mutants_loses_points(hasty_grader: Grader, exercise: str) -> None:
    sample = [mutant for mutant in mutants_of(exercise, at_most=EACH) if mutant.key not in equivalents()]
    assert sample
    assert [(m.line, m.before, m.after) for m in sample if survives(hasty_grader, exercise, m.source, SEED)] == []


def test_what_is_listed_as_equivalent_is_about_the_solutions_as_they_are() -> None:
    for entry in equivalents().values():
        lines = (SOLUTIONS / f"{entry.exercise}.py").read_text(encoding="utf-8").splitlines()
        inside = [line.strip() for begin, end in regions_of("\n".join(lines)) for line in lines[begin : end - 1]]
        assert f"\n{entry.before}\n" in "\n".join(["", *inside, ""])
        assert entry.reason.endswith(".")


def test_mutants_differ_from_the_solution_in_one_place_of_its_regions() -> None:
    solution = (SOLUTIONS / "attention.py").read_text(encoding="utf-8")
    (begin, end), mutants = regions_of(solution)[0], mutants_of("attention")
    assert len({mutant.source for mutant in mutants} | {solution}) == len(mutants) + 1
    for mutant in mutants:
        assert begin < mutant.line < end
        assert mutant.source.splitlines()[: mutant.line - 1] == solution.splitlines()[: mutant.line - 1]
    changes = {(mutant.before, mutant.after) for mutant in mutants}
    scores = "scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(d_k)"
    assert {
        (scores, "scores = Q @ np.swapaxes(K, -1, -2) * np.sqrt(d_k)"),
        (scores, "scores = Q @ np.swapaxes(K, -1, -2) / d_k"),
        (scores, "scores = Q @ np.swapaxes(K, -1, -2)"),
        (scores, "scores = Q @ np.swapaxes(K, 0, -2) / np.sqrt(d_k)"),
        (scores, "scores = Q @ K / np.sqrt(d_k)"),
        ("weights = softmax(scores, axis=-1)", "weights = softmax(scores, axis=-2)"),
        ("return weights @ V, weights", "return weights, weights @ V"),
    } <= changes


def test_the_solution_itself_survives(hasty_grader: Grader) -> None:
    assert survives(hasty_grader, "attention", (SOLUTIONS / "attention.py").read_text(encoding="utf-8"), SEED)
