"""Fingerprints of code by winnowing: few numbers that two texts share where, and only where, they share a run of tokens.

Schleimer, Wilkerson, Aiken: Winnowing: Local Algorithms for Document Fingerprinting. SIGMOD 2003. classwide.py uses it.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from autograder.similarity.tokens import normalised

Prints = NDArray[np.uint64]

# Runs of fewer than RUN tokens are never matched; a common run of RUN + WINDOW - 1 always is. 12 tokens are a line or so.
RUN = 12
WINDOW = 6
NONE: Prints = np.empty(0, np.uint64)

_BASE = np.uint64(0x9E3779B97F4A7C15)  # odd, so that no token is lost modulo 2**64


def runs(text: str) -> Prints:
    """A number for each run of RUN tokens, in order; the same on every machine and in every process."""
    numbers = np.array([_number(token) for token in normalised(text)], dtype=np.uint64)
    count = len(numbers) - RUN + 1
    if count < 1:
        return NONE
    total = np.zeros(count, np.uint64)
    for i in range(RUN):
        total = total * _BASE + numbers[i : i + count]
    return total ^ (total >> np.uint64(29))  # a product's low bits know too little, and the smallest number is chosen


@lru_cache(maxsize=4096)
def _number(token: str) -> int:
    return int.from_bytes(hashlib.blake2b(token.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def winnowed(numbers: Prints) -> Prints:
    """The smallest number of each window of WINDOW, sorted, each once."""
    if len(numbers) <= WINDOW:
        return np.sort(numbers)[:1]
    return np.unique(np.lib.stride_tricks.sliding_window_view(numbers, WINDOW).min(axis=1))


def fingerprints(text: str, known: Prints) -> Prints:
    """The fingerprints of a text, without the runs in `known` (sorted), which prove nothing."""
    numbers = runs(text)
    return winnowed(numbers[~is_in(numbers, known)])


def is_in(numbers: Prints, known: Prints) -> NDArray[np.bool_]:
    """Which of the numbers are among `known`, which is sorted."""
    if not len(known):
        return np.zeros(len(numbers), bool)
    places = np.minimum(np.searchsorted(known, numbers), len(known) - 1)
    return known[places] == numbers
