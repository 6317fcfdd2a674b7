"""What a hidden test declares about itself: its points and its title, in both languages."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from autograder.language import Text

MARK = "graded"


@dataclass(frozen=True)
class Graded:
    """The rubric's line for one hidden test."""

    points: float
    title: Text
    property_alone: bool = False
    explanation: Text | None = None


def graded(points: float, en: str, zh: str, *, property_alone: bool = False, explanation: Text | None = None) -> pytest.MarkDecorator:
    """Mark a hidden test with its points and title.

    property_alone: the test checks a property and no values (an argument left alone, a shape, an error raised);
    it earns nothing unless a test of the exercise's values passes.
    explanation: what the student reads after grading whether the answer was right or wrong.
    """
    return pytest.mark.graded(Graded(points, Text(en, zh), property_alone, explanation))
