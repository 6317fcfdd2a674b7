"""Right answers written differently get every point; wrong ones lose some, in their own exercise alone.

Each file under tests/variants is one exercise's module as a student might hand it in; its docstring says what is in it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.course import COURSE
from autograder.grading.grader import Grader
from tests.conftest import solutions, submission

FOLDER = Path(__file__).parent / "variants"
SEEDS = (1, 20171)
WITH_VARIANTS = [e.id for e in COURSE if (FOLDER / "right" / e.id).is_dir() or (FOLDER / "wrong" / e.id).is_dir()]


def variants(kind: str) -> list[Path]:
    return sorted((FOLDER / kind).glob("*/*.py"))


def name(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


@pytest.mark.parametrize("path", variants("right"), ids=name)
def test_a_right_answer_gets_every_point_however_it_is_written(grader: Grader, path: Path) -> None:
    exercise = path.parent.name
    for seed in SEEDS:
        report = grader.grade(submission({f"{exercise}.py": path.read_bytes()}), seed, exercises=[exercise])
        assert [(t.id, t.status, t.message) for e in report.exercises for t in e.tests if t.earned != t.points] == []


@pytest.mark.parametrize("path", variants("wrong"), ids=name)
def test_a_wrong_answer_loses_points(grader: Grader, path: Path) -> None:
    exercise = path.parent.name
    (report,) = grader.grade(submission({f"{exercise}.py": path.read_bytes()}), SEEDS[0], exercises=[exercise]).exercises
    assert report.score < report.max_score


@pytest.mark.parametrize("exercise", WITH_VARIANTS)
def test_a_wrong_answer_costs_points_in_its_own_exercise_alone(grader: Grader, exercise: str) -> None:
    path = variants_of("wrong", exercise)[0]
    report = grader.grade(submission({f"{exercise}.py": path.read_bytes()}, base=solutions()), SEEDS[0])
    assert [e.id for e in report.exercises if e.score < e.max_score] == [exercise]


def variants_of(kind: str, exercise: str) -> list[Path]:
    return [path for path in variants(kind) if path.parent.name == exercise]


@pytest.mark.parametrize("exercise", WITH_VARIANTS)
def test_every_exercise_with_variants_has_its_share(exercise: str) -> None:
    assert len(variants_of("right", exercise)) >= 5
    assert len(variants_of("wrong", exercise)) >= 10
