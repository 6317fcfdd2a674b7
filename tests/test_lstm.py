"""The provided LSTM cell: gates in the promised order, against the equations written out."""

from __future__ import annotations

import math

import numpy as np
import pytest

from exercises.lstm import LSTMCell


def by_hand(cell: LSTMCell, x: np.ndarray, h: np.ndarray, c: np.ndarray) -> tuple[list[float], list[float]]:
    """The equations, one unit at a time."""
    read, hidden = [*x.tolist(), *h.tolist()], len(h)

    def gate(number: int, unit: int) -> float:
        column = number * hidden + unit
        return sum(value * float(cell.W[row, column]) for row, value in enumerate(read)) + float(cell.b[column])

    def sigmoid(z: float) -> float:
        return 1.0 / (1.0 + math.exp(-z))

    new_h, new_c = [], []
    for unit in range(hidden):
        remembered = sigmoid(gate(1, unit)) * c[unit] + sigmoid(gate(0, unit)) * math.tanh(gate(2, unit))
        new_c.append(remembered)
        new_h.append(sigmoid(gate(3, unit)) * math.tanh(remembered))
    return new_h, new_c


def drawn(input_size: int, hidden: int, seed: int) -> tuple[LSTMCell, np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    cell = LSTMCell(input_size, hidden)
    cell.W, cell.b = rng.normal(size=cell.W.shape), rng.normal(size=cell.b.shape)
    return cell, rng.normal(size=input_size), rng.normal(size=hidden), rng.normal(size=hidden)


@pytest.mark.parametrize(("input_size", "hidden"), [(3, 5), (5, 3), (1, 1), (4, 4)])
def test_a_step_is_the_equations(input_size: int, hidden: int):
    cell, x, h, c = drawn(input_size, hidden, seed=hidden)
    before = [array.copy() for array in (x, h, c)]
    got = cell.forward(x, h, c)
    np.testing.assert_allclose(got, by_hand(cell, x, h, c), rtol=0, atol=1e-13)
    assert all(np.array_equal(now, then) for now, then in zip((x, h, c), before, strict=True))


def test_a_batch_is_its_rows():
    cell, *_ = drawn(3, 4, seed=1)
    rng = np.random.default_rng(2)
    x, h, c = rng.normal(size=(2, 5, 3)), rng.normal(size=(2, 5, 4)), rng.normal(size=(2, 5, 4))
    new_h, new_c = cell.forward(x, h, c)
    for i in np.ndindex(2, 5):
        np.testing.assert_allclose((new_h[i], new_c[i]), cell.forward(x[i], h[i], c[i]), rtol=0, atol=1e-13)


def test_large_numbers_do_not_overflow():
    cell, x, h, c = drawn(3, 4, seed=3)
    with np.errstate(all="raise", under="ignore"):
        new_h, new_c = cell.forward(1e6 * x, h, c)
    assert np.all(np.abs(new_h) <= 1)
    assert np.all(np.isfinite(new_c))


def test_the_start_values_have_their_shapes_and_follow_the_seed():
    cell, again, other = LSTMCell(3, 4, seed=7), LSTMCell(3, 4, seed=7), LSTMCell(3, 4, seed=8)
    assert (cell.W.shape, cell.b.shape) == ((7, 16), (16,))
    assert np.array_equal(cell.W, again.W)
    assert not np.any(cell.W == other.W)
