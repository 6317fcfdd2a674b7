"""What a comparison of a class finds, as data: for summary.html and similarity.csv."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SharedExercise:
    """How much two students have in common in one exercise; id "" for code outside of the exercises' modules and cells."""

    id: str
    share: float  # of the fingerprints of the one who has fewer, 0 to 1, rare ones counting more
    common: int  # fingerprints


@dataclass(frozen=True)
class Pair:
    """Two students whose code has much in common. The shares are those of all their code, 0 to 1, rare fingerprints counting more."""

    first: str
    second: str
    share_of_first: float
    share_of_second: float
    common: int  # fingerprints
    exercises: tuple[SharedExercise, ...]  # those with most of the code in common, in the course's order

    @property
    def share(self) -> float:
        """The figure of the pair: the share of the one who has less code."""
        return max(self.share_of_first, self.share_of_second)


@dataclass(frozen=True)
class Similar:
    """The pairs of a class that stand out, the most similar first."""

    pairs: tuple[Pair, ...]
    compared: int  # students
    left_out: tuple[str, ...] = ()  # students whose submissions could not be opened
    more: int = 0  # pairs beyond the longest list
    too_many: bool = False  # more students than are compared; then nothing was
