"""Fixtures of the hidden tests: what they know of the grader is here."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest


@pytest.fixture
def rng(request: pytest.FixtureRequest, course_seed: int) -> np.random.Generator:
    """Random numbers of this test's own, drawn from the course seed."""
    return np.random.default_rng([course_seed, zlib.crc32(request.node.nodeid.rpartition("/")[2].encode())])


@pytest.fixture
def sizes(rng: np.random.Generator) -> SimpleNamespace:
    """One length for every axis that the lesson names, all different, so that no two can be confused."""
    drawn = iter(rng.permutation(np.arange(2, 9)).tolist())
    return SimpleNamespace(batch=next(drawn), n_q=next(drawn), n_k=next(drawn), d_k=next(drawn), d_v=next(drawn), n=next(drawn))


@pytest.fixture
def qkv(rng: np.random.Generator, sizes: SimpleNamespace) -> tuple[Any, Any, Any]:
    """Q (batch, n_q, d_k), K (batch, n_k, d_k), V (batch, n_k, d_v), every axis of another length."""
    return (
        rng.normal(size=(sizes.batch, sizes.n_q, sizes.d_k)),
        rng.normal(size=(sizes.batch, sizes.n_k, sizes.d_k)),
        rng.normal(size=(sizes.batch, sizes.n_k, sizes.d_v)),
    )


@pytest.fixture
def random_mask(rng: np.random.Generator) -> Callable[..., np.ndarray]:
    """A random bool mask of a given shape in which every row has a key that is allowed and one that is blocked.

    The rows of a matrix are never all the same: a mask that is laid on the wrong axis must show.
    """

    def draw(*shape: int) -> np.ndarray:
        while True:
            places = rng.random(shape).argsort(axis=-1)
            mask = np.where(places == 0, True, np.where(places == 1, False, rng.random(shape) < 0.5))
            if len(shape) < 2 or 1 in shape[-2:] or (mask != mask[..., :1, :]).any(axis=(-1, -2)).all():
                return mask

    return draw


@pytest.fixture
def with_scores() -> Callable[[Any], tuple[np.ndarray, np.ndarray]]:
    """Q and K (..., 16) whose scores q·k / √16 are exactly the given (..., n_q, n_k), also in float32 where the scores fit."""

    def build(scores: Any) -> tuple[np.ndarray, np.ndarray]:
        scores = np.asarray(scores, dtype=np.float64)
        *leading, n_q, n_k = scores.shape
        Q = np.broadcast_to(4.0 * np.eye(n_q, 16), (*leading, n_q, 16)).copy()
        K = np.zeros((*leading, n_k, 16))
        K[..., :n_q] = np.swapaxes(scores, -1, -2)
        return Q, K

    return build


@pytest.fixture
def projection(rng: np.random.Generator) -> Callable[[int, int], np.ndarray]:
    """A random matrix (fan_in, fan_out) that keeps numbers of ordinary size at ordinary size."""
    return lambda fan_in, fan_out: rng.normal(size=(fan_in, fan_out)) / np.sqrt(fan_in)
