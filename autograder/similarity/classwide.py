"""Compares every student with every other and lists the pairs that stand out. `similar_submissions` is what the command line calls.

An index from each fingerprint to those who have it is walked once, so that a class costs what it has in common, not its square.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autograder.course import COURSE
from autograder.limits import Limits
from autograder.reports.pairs import Pair, SharedExercise, Similar
from autograder.similarity.fingerprints import NONE, Prints, fingerprints, is_in
from autograder.similarity.texts import OWN, code_by_exercise, handed_out
from autograder.submissions import Candidate, Submission, Unreadable, open_submission

# A pair stands out by all of its code, or by exercises that are nearly the same. Weights are those of `_Rarity`: what only two
# students have weighs 1. A whole solution has some 800 fingerprints, `softmax` a dozen: no short exercise stands out alone.
SHARE, COMMON = 0.6, 40.0
SAME_SHARE, SAME_COMMON = 0.8, 60.0

# An exercise is named beside a pair from here on.
NAMED_SHARE, NAMED_COMMON = 0.5, 8

# What more than a quarter of the class shares counts for nothing; in a small class, what more than ten do.
EVERYBODYS = 4
FEW, MANY = 10, 100

_AT_ONCE = 1 << 20  # entries of the index that are added up in one step


@dataclass(frozen=True)
class Work:
    """The fingerprints of one student: by exercise and of all, each sorted."""

    student: str
    exercises: dict[str, Prints]
    all: Prints


def similar_submissions(candidates: Iterable[Candidate], limits: Limits) -> Similar:
    """The pairs among these submissions that have much code in common. Ones that cannot be opened are left out."""
    works, left_out = [], []
    candidates = list(candidates)
    if len(candidates) > limits.compared_students:
        return Similar((), len(candidates), too_many=True)
    for candidate in candidates:
        try:
            works.append(work_of(open_submission(candidate, limits), limits))
        except (Unreadable, MemoryError, RecursionError):
            left_out.append(candidate.student)
    return compare(works, tuple(left_out), limits)


def work_of(submission: Submission, limits: Limits) -> Work:
    """The fingerprints of a submission, without the code that the kit hands out."""
    known = handed_out()
    exercises = {}
    for exercise, texts in code_by_exercise(submission, limits.compared_code).items():
        # Of too many the smallest: the same ones in a copy.
        exercises[exercise] = _joined([fingerprints(text, known) for text in texts])[: limits.compared_fingerprints]
    return Work(submission.student, exercises, _joined(exercises.values())[: limits.compared_fingerprints])


def _joined(parts: Iterable[Prints]) -> Prints:
    return np.unique(np.concatenate([NONE, *parts]))


class _Rarity:
    """How much each fingerprint of a class weighs: 1 where two students have it, less with every other who has it too.

    As with the inverse document frequency of text retrieval; nothing at all where so many have it that it is everybody's.
    """

    def __init__(self, works: Sequence[Work]):
        students = len(works)
        self.values, counts = np.unique(np.concatenate([NONE, *(work.all for work in works)]), return_counts=True)
        self.weights = np.minimum(1.0, np.log((students + 2) / counts) / np.log((students + 2) / 2)).astype(np.float32)
        self.weights[counts > min(max(FEW, students // EVERYBODYS), MANY)] = 0.0

    def of(self, prints: Prints) -> NDArray[np.float32]:
        """The weight of each; those that the cut of `limits` left out of a student's own count for nothing."""
        if not len(self.values):
            return np.zeros(len(prints), np.float32)
        places = np.minimum(np.searchsorted(self.values, prints), len(self.values) - 1)
        return np.where(self.values[places] == prints, self.weights[places], np.float32(0))


def compare(works: Sequence[Work], left_out: tuple[str, ...], limits: Limits) -> Similar:
    """The pairs of these students that stand out."""
    if len(works) < 2:
        return Similar((), len(works), left_out)
    rarity = _Rarity(works)
    common, own = _in_common([work.all for work in works], rarity)
    stands_out = (_shares(common, own) >= SHARE) & (common >= COMMON)
    same = np.zeros_like(common)
    for exercise in [*(e.id for e in COURSE), OWN]:
        shared, of_exercise = _in_common([work.exercises.get(exercise, NONE) for work in works], rarity)
        same += np.where(_shares(shared, of_exercise) >= SAME_SHARE, shared, 0)
    stands_out |= same >= SAME_COMMON
    pairs = [_pair(works[i], works[j], rarity) for i, j in _foremost(stands_out, common, own, limits.compared_pairs)]
    more = int(stands_out.sum()) - len(pairs)
    return Similar(tuple(sorted(pairs, key=lambda pair: (-pair.share, pair.first, pair.second))), len(works), left_out, more)


def _in_common(prints: Sequence[Prints], rarity: _Rarity) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The weight of what each two have in common, above the diagonal of a square; the weight of what each has."""
    students = len(prints)
    weights = [rarity.of(of_one) for of_one in prints]
    own = np.array([weight.sum() for weight in weights], np.float32)
    values, weight = np.concatenate(prints), np.concatenate(weights)
    owner = np.repeat(np.arange(students), [len(of_one) for of_one in prints])
    order = np.flatnonzero(weight)
    order = order[np.argsort(values[order], kind="stable")]  # stable: the owners of one fingerprint stay in order
    values, weight, owner = values[order], weight[order], owner[order]
    starts = np.flatnonzero(np.r_[True, values[1:] != values[:-1]]) if len(values) else np.empty(0, int)
    sizes = np.diff(np.r_[starts, len(values)])
    common = np.zeros(students * students, np.float32)
    for size in np.unique(sizes[sizes > 1]):
        first, second = np.triu_indices(size, 1)
        of_size = starts[sizes == size]
        for chunk in np.array_split(of_size, 1 + len(of_size) * len(first) // _AT_ONCE):
            owners = owner[chunk[:, None] + np.arange(size)]
            np.add.at(common, owners[:, first] * students + owners[:, second], weight[chunk][:, None])
    return common.reshape(students, students), own


def _shares(common: NDArray[np.float32], own: NDArray[np.float32]) -> NDArray[np.float32]:
    """What two have in common as a share of what the one has who has less; 0 where that is nothing."""
    less = np.minimum(own[:, None], own[None, :])
    return np.divide(common, less, out=np.zeros_like(common), where=less > 0)


def _foremost(stands_out: NDArray[np.bool_], common: NDArray[np.float32], own: NDArray[np.float32], most: int) -> list[tuple[int, int]]:
    rows, columns = np.nonzero(stands_out)
    best = np.argsort(-_shares(common, own)[rows, columns], kind="stable")[:most]
    return list(zip(rows[best].tolist(), columns[best].tolist(), strict=True))


def _pair(a: Work, b: Work, rarity: _Rarity) -> Pair:
    exercises = []
    for exercise in [*(e.id for e in COURSE), OWN]:
        one, other = a.exercises.get(exercise, NONE), b.exercises.get(exercise, NONE)
        common, of_one, of_other = _common_of_two(one, other, rarity)
        share = max(of_one, of_other)
        if share >= NAMED_SHARE and common >= NAMED_COMMON:
            exercises.append(SharedExercise(exercise, share, common))
    common, of_a, of_b = _common_of_two(a.all, b.all, rarity)
    return Pair(a.student, b.student, of_a, of_b, common, tuple(exercises))


def _common_of_two(one: Prints, other: Prints, rarity: _Rarity) -> tuple[int, float, float]:
    """How many fingerprints, weightless ones left out, and their shares of each."""
    weights = rarity.of(one)
    both = is_in(one, other) & (weights > 0)
    shared = float(weights[both].sum())
    shares = [min(1.0, shared / whole) if (whole := float(w.sum())) else 0.0 for w in (weights, rarity.of(other))]
    return int(both.sum()), shares[0], shares[1]
