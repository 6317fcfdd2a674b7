"""The catalogue: every misconception loses points in its own exercise alone, and is named rightly far more often than not."""

from __future__ import annotations

import inspect
import re
from collections import Counter

import numpy as np
import pytest

from autograder.course import COURSE, Value
from autograder.grading.diagnosis import Evidence, Origin, calling, candidates, decide, same
from autograder.grading.grader import Grader
from autograder.grading.reference import reference
from autograder.misconceptions.catalogue import Misconception, by_id, catalogue
from autograder.reports.model import ExerciseReport
from tests.conftest import ROOT, solutions, submission

SEED = 11
DEPENDENTS = {e.id: [later.id for later in COURSE if e.id in later.builds_on and later.id != "blockwise"] for e in COURSE}


def handed_in(entry: Misconception) -> dict[str, str]:
    solution = (ROOT / "solutions" / f"{entry.exercise}.py").read_text("utf-8")
    return {f"{entry.exercise}.py": entry.as_module(solution)}


@pytest.fixture(scope="module")
def graded(grader: Grader) -> dict[str, ExerciseReport]:
    """Each entry, handed in: the report of its own exercise. Graded once for all tests of this file."""
    return {e.id: grader.grade(submission(handed_in(e), base=solutions()), SEED, exercises=[e.exercise]).exercises[0] for e in catalogue()}


def named(report: ExerciseReport) -> set[str]:
    return {test.misconception for test in report.tests if test.misconception is not None}


def test_every_misconception_loses_points(graded: dict[str, ExerciseReport]) -> None:
    assert [id for id, report in graded.items() if report.score == report.max_score] == []
    assert [id for id, report in graded.items() if report.status == "error"] == []


def test_a_misconception_is_named_and_seldom_another_one(graded: dict[str, ExerciseReport]) -> None:
    entries = [e for e in catalogue() if e.diagnosed]
    rightly = [e.id for e in entries if named(graded[e.id]) == {e.id}]
    wrongly = [e.id for e in entries if named(graded[e.id]) - {e.id}]
    assert len(rightly) >= 0.9 * len(entries)
    assert len(wrongly) <= 0.02 * len(entries)


def test_a_named_misconception_brings_its_hint(graded: dict[str, ExerciseReport]) -> None:
    for entry in catalogue():
        for test in graded[entry.id].tests:
            if test.misconception == entry.id:
                assert test.feedback.endswith(entry.hint.en)
                assert len(test.feedback.splitlines()) <= 4


@pytest.mark.parametrize("exercise", [e.id for e in COURSE])
def test_a_misconception_costs_no_other_exercise(grader: Grader, exercise: str) -> None:
    entries = [e for e in catalogue() if e.exercise == exercise]
    for entry in entries[:: max(1, len(entries) // 4)]:
        if DEPENDENTS[exercise]:
            report = grader.grade(submission(handed_in(entry), base=solutions()), SEED, exercises=DEPENDENTS[exercise])
            assert [e.id for e in report.exercises if e.score < e.max_score] == [], entry.id


def test_there_are_enough_and_every_exercise_with_some_has_its_share() -> None:
    share = Counter(entry.exercise for entry in catalogue())
    assert sum(share.values()) >= 120
    assert min(share.values()) >= 5


@pytest.mark.parametrize("entry", catalogue(), ids=lambda entry: entry.id)
def test_an_entry_says_what_is_wrong_in_both_languages(entry: Misconception) -> None:
    exercise = next(e for e in COURSE if e.id == entry.exercise)
    points = {point.name: point for point in exercise.entry_points}
    assert entry.target.split(".")[0] in points
    assert entry.about
    assert entry.hint.en.strip()
    assert re.search("[一-鿿]", entry.hint.zh)
    if not isinstance(points[entry.target.split(".")[0]], Value):
        assert "### " not in inspect.getsource(entry.function)


ONE, OTHER = (entry.id for entry in catalogue()[:2])


def test_the_misconception_that_explains_most_is_named_and_a_tie_is_not() -> None:
    def named_for(*candidates: tuple[str, ...]) -> list[str | None]:
        return decide([Evidence(names) for names in candidates], reference())

    assert named_for((ONE, OTHER), (ONE,), ()) == [ONE, ONE, None]
    assert named_for((ONE, OTHER), (OTHER, ONE)) == [None, None]
    assert named_for() == []


def test_a_misconception_must_explain_every_wrong_answer_of_its_function() -> None:
    assert decide([Evidence((ONE,), "softmax"), Evidence((), "softmax")], reference()) == [None, None]
    assert decide([Evidence((ONE,), "softmax"), Evidence((), "another")], reference()) == [ONE, None]


def test_a_right_answer_speaks_against_a_misconception() -> None:
    x = np.arange(12.0).reshape(3, 4)
    right = Origin("softmax", "softmax", (x,), {}, reference().softmax(x))
    assert decide([Evidence((ONE,), "softmax"), Evidence(calls=(right,))], reference()) == [None, None]
    assert candidates(right, reference()) == ()


def masked_call() -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(4)
    mask = rng.random((2, 3, 5)) < 0.6
    mask[0, 1] = False  # a query that sees nothing
    return rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 5, 4)), rng.normal(size=(2, 5, 3)), mask


def answered_by(*ids: str) -> Origin:
    """masked_attention as a student answers it who got these wrong: their masked_softmax, or both functions."""
    versions = {by_id()[id].target: by_id()[id].function for id in ids}
    softmaxes = {reference().masked_softmax: versions[name] for name in versions if name == "masked_softmax"}
    attention = calling(versions.get("masked_attention", reference().masked_attention), softmaxes)
    return Origin("masking", "masked_attention", masked_call(), {}, attention(*masked_call()))


def test_a_right_function_that_calls_a_wrong_one_shows_the_mistake_of_the_other() -> None:
    assert candidates(answered_by("masking.mask_inverted"), reference()) == ("masking.mask_inverted",)


def test_two_mistakes_at_once_name_the_one_of_the_function_called() -> None:
    origin = answered_by("masking.root_of_the_values_width", "masking.mask_inverted")
    assert candidates(origin, reference()) == ("masking.root_of_the_values_width",)


def test_a_drawing_is_recognised_with_other_blanks_and_bars() -> None:
    weights, tokens = np.array([[0.25, 0.15, 0.6], [0.1, 0.35, 0.55], [0.2, 0.43, 0.37]]), ["a", "bb", "ccc"]
    entry = by_id()["heatmap.largest_of_the_row"]
    drawn = entry.function(weights, tokens).replace("a", "|  a")
    assert candidates(Origin("heatmap", "ascii_heatmap", (weights, tokens), {}, drawn), reference()) == (entry.id,)


def test_answers_are_compared_as_the_graders_compare_them() -> None:
    x = np.array([1.0, np.nan, np.inf])
    assert same(x, x.astype(np.float32))
    assert same((x, {"a": x}), [x, {"a": x.tolist()}])
    assert not same(x, x[:2])
    assert not same(x, np.array([1.0, 2.0, np.inf]))
    assert not same(np.array([True]), np.array([1.0]))
    assert not same((x,), (x, x))
    assert same(None, None)
    assert not same(None, 0.0)
