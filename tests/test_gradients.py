"""The reference gradients, of exercise `backward` and of the trained example's models, against central differences."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from solutions.backward import attention_backward
from solutions.masking import causal_mask, masked_attention

sys.path.append(str(Path(__file__).resolve().parents[1] / "tools"))  # scripts, no package

from translation_models import Dropout, Seq2Seq, Tagger

STEP = 1e-5


def slope(loss: Callable[[], float], array: np.ndarray) -> np.ndarray:
    """The gradient of loss() with respect to `array`, which it reads, by central differences."""
    gradient = np.zeros_like(array)
    for place in np.ndindex(array.shape):
        kept, losses = array[place], []
        for array[place] in (kept + STEP, kept - STEP):
            losses.append(loss())
        array[place] = kept
        gradient[place] = (losses[0] - losses[1]) / (2 * STEP)
    return gradient


def blocked_rows() -> np.ndarray:
    mask = np.random.default_rng(5).random((2, 3, 4)) < 0.6
    mask[0, 1] = mask[1, 2] = False
    return mask


@pytest.mark.parametrize(
    ("leading", "mask"),
    [
        ((), None),
        ((2,), None),
        ((2, 2), None),
        ((2,), blocked_rows()),
        ((2,), blocked_rows().astype(int)),
        ((), causal_mask(3, 4)),
        ((2, 2), np.array([[[[1, 1, 1, 0]]], [[[1, 0, 1, 0]]]])),
    ],
    ids=["one sentence", "batch", "two axes", "blocked queries", "integers", "causal", "padding"],
)
def test_attention_backward_is_the_slope_of_the_loss(leading: tuple[int, ...], mask: np.ndarray | None) -> None:
    rng = np.random.default_rng(0)
    d_output, Q, K, V = (rng.normal(size=(*leading, *size)) for size in ((3, 2), (3, 5), (4, 5), (4, 2)))

    def loss() -> float:
        return float((masked_attention(Q, K, V, mask)[0] * d_output).sum())

    for gradient, array in zip(attention_backward(d_output, Q, K, V, mask), (Q, K, V), strict=True):
        assert gradient.shape == array.shape
        np.testing.assert_allclose(gradient, slope(loss, array), atol=1e-8)


def test_a_blocked_query_has_no_gradient() -> None:
    rng = np.random.default_rng(1)
    mask = blocked_rows()
    dQ, dK, dV = attention_backward(*(rng.normal(size=(2, *size)) for size in ((3, 2), (3, 5), (4, 5), (4, 2))), mask)
    assert np.all(dQ[0, 1] == 0)
    assert np.all(dQ[1, 2] == 0)
    assert np.all(np.isfinite(dK))
    assert np.all(np.isfinite(dV))


@pytest.mark.parametrize("attends", [True, False])
def test_the_translators_are_trained_down_the_slope(attends: bool) -> None:
    rng = np.random.default_rng(2)
    model = Seq2Seq(attends)
    weights = {name: w.astype(np.float64) for name, w in model.start(rng, 5, 6, 3).items()}
    source, given, wanted = rng.integers(5, size=(2, 3)), rng.integers(6, size=(2, 4)), rng.integers(6, size=(2, 4))
    counted = np.array([[True] * 4, [True, True, False, False]])
    _, gradients = model.loss(weights, source, given, wanted, counted, Dropout(rng, 0.0))
    assert set(gradients) == set(weights)
    for name, array in weights.items():
        found = slope(lambda: model.loss(weights, source, given, wanted, counted, Dropout(rng, 0.0))[0], array)
        np.testing.assert_allclose(gradients[name], found, atol=1e-7, err_msg=name)


def test_the_tagger_is_trained_down_the_slope() -> None:
    rng = np.random.default_rng(3)
    model = Tagger(n_heads=2)
    weights = {name: w.astype(np.float64) for name, w in model.start(rng, 5, 6, 4, longest=5).items()}
    source, wanted = rng.integers(5, size=(2, 4)), rng.integers(6, size=(2, 4))
    _, gradients = model.loss(weights, source, wanted, Dropout(rng, 0.0))
    assert set(gradients) == set(weights)
    for name, array in weights.items():
        found = slope(lambda: model.loss(weights, source, wanted, Dropout(rng, 0.0))[0], array)
        np.testing.assert_allclose(gradients[name], found, atol=1e-7, err_msg=name)
