"""Verdicts do not depend on what a seed draws: sizes, values and masks. `make seeds` tries many more than this."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.grading.grader import Grader
from autograder.misconceptions.catalogue import Misconception, catalogue
from tests.conftest import ROOT, submission
from tests.test_variants import variants

SEEDS = st.integers(0, 2**31 - 1)
# The same examples in every run: a verdict that changes with one seed in a million is found by `make seeds`, not by luck.
TRIED = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])


def score(grader: Grader, exercise: str, module: bytes, seed: int) -> tuple[float, float]:
    (report,) = grader.grade(submission({f"{exercise}.py": module}), seed, exercises=[exercise]).exercises
    return report.score, report.max_score


@given(entry=st.sampled_from([e for e in catalogue() if e.exercise != "blockwise"]), seed=SEEDS)
@TRIED
def test_a_misconception_fails_at_every_size_drawn(grader: Grader, entry: Misconception, seed: int) -> None:
    solution = (ROOT / "solutions" / f"{entry.exercise}.py").read_text("utf-8")
    got, most = score(grader, entry.exercise, entry.as_module(solution).encode(), seed)
    assert got < most


@given(path=st.sampled_from([p for p in variants("right") if p.parent.name != "blockwise"]), seed=SEEDS)
@TRIED
def test_a_right_answer_passes_at_every_size_drawn(grader: Grader, path: Path, seed: int) -> None:
    got, most = score(grader, path.parent.name, path.read_bytes(), seed)
    assert got == most
