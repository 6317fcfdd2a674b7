"""Which submissions of a class have much code in common? A figure to look into, never a verdict.

`autograder grade --similarity` calls `similar_submissions`; reports/similar.py writes what it finds. Winnowing (Schleimer, Wilkerson
and Aiken, SIGMOD 2003) over normalised tokens. No student code is run or parsed.
"""

from __future__ import annotations

from autograder.reports.pairs import Pair, SharedExercise, Similar
from autograder.similarity.classwide import similar_submissions

__all__ = ["Pair", "SharedExercise", "Similar", "similar_submissions"]
