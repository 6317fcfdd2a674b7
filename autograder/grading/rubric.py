"""What a hidden test declares about itself: its points and its title, in both languages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

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


def in_points(lines: Sequence[Graded], points: float) -> list[Graded]:
    """The rubric of one exercise in the points that the course gives it: what its tests declare, where that adds up to `points`, else
    that in proportion.

    What does not come out in ten-thousandths is given in hundredths, those that are left over to the largest remainders: in both cases
    the tests' points add up to `points` exactly. Tests that declare no points at all keep them.
    """
    declared = [Fraction(str(line.points)) for line in lines]
    total, wanted = sum(declared, Fraction()), Fraction(str(points))
    if total in (0, wanted):
        return list(lines)
    shares = [share * wanted / total for share in declared]
    if any((10_000 * share).denominator > 1 for share in shares):
        shares = _in_hundredths(shares, wanted)
    return [replace(line, points=float(share)) for line, share in zip(lines, shares, strict=True)]


def _in_hundredths(shares: Sequence[Fraction], wanted: Fraction) -> list[Fraction]:
    whole = [int(100 * share) for share in shares]
    remainders = [100 * share - number for share, number in zip(shares, whole, strict=True)]
    left = round(100 * wanted) - sum(whole)
    for place in sorted(range(len(shares)), key=lambda place: -remainders[place])[:left]:
        whole[place] += 1
    return [Fraction(number, 100) for number in whole]


def graded(points: float, en: str, zh: str, *, property_alone: bool = False, explanation: Text | None = None) -> pytest.MarkDecorator:
    """Mark a hidden test with its points and title. Where those of an exercise do not add up to what the course gives it they are shares.

    property_alone: the test checks a property and no values (an argument left alone, a shape, an error raised);
    it earns nothing unless a test of the exercise's values passes.
    explanation: what the student reads after grading whether the answer was right or wrong.
    """
    return pytest.mark.graded(Graded(points, Text(en, zh), property_alone, explanation))
